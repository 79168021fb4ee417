import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { z } from 'zod';
import { exportBytesMax } from '#contract/body-limits.ts';
import type { imports } from '#contract/imports.ts';
import {
  countImportBytes,
  countImportParts,
  deleteImportParts,
  deleteOldImportParts,
  findImport,
  findImportPart,
  hasOpenImport,
  insertImport,
  updateImport,
  upsertImport,
  upsertImportPart,
} from '#db/queries/imports/imports.ts';
import type { Tx } from '#db/database.ts';
import { extendJobLease } from '#db/queries/exports/workspace-exports.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { AppError, invalid, notFound } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import { partsDeleted, PermanentFailure } from '#domain/base/jobs/permanent-failure.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { retriedAfter } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { publishFacts } from '../publication/publish-facts.ts';
import { assertManagesInstance } from './assert-manages-instance.ts';
import { resumeTracking, stepsInTransaction } from './resume-tracking.ts';
import { resumeTrackingInSteps } from './resume-tracking-in-steps.ts';
import type { ImportReport } from './import-tally.ts';
import { importWorkspace, type Ending, type Pieces } from './import-workspace.ts';

export type WorkspaceImport = z.input<
  (typeof imports)['GET /workspace/imports/{importId}']['responses'][200]
>;
type ImportPayload = Pick<Ctx, 'actor' | 'workspaceState'>;

const pack = promisify(gzip);
const unpack = promisify(gunzip);
const keptMs = 86_400_000;
const leaseMs = 600_000;
const partsPerTick = 50;

/**
 * Stores an uploaded part for a day; a new upload replaces it. Throws invalid_request while the
 * parts are being imported, and when all parts need more space than the largest export.
 */
export async function storeImportPart(
  ctx: Ctx,
  number: number,
  text: string,
  { bytesMax = exportBytesMax }: { bytesMax?: number } = {},
): Promise<{ part: number; bytes: number }> {
  const data = await pack(text, { level: 5 });
  await inTenant(ctx, async (tx) => {
    if (await hasOpenImport(tx, ctx.workspaceId))
      throw invalid('part', 'the parts of the next file, once this one is imported');
    const others = await countImportBytes(tx, ctx.workspaceId, { except: number });
    if (others + data.length > bytesMax)
      throw invalid('text', 'bytes of all parts, compressed', others + data.length, bytesMax);
    await upsertImportPart(tx, ctx.workspaceId, { number, data, now: ctx.clock.now() });
  });
  return { part: number, bytes: Buffer.byteLength(text) };
}

/**
 * Imports an export that fits in one request, in one transaction. Throws invalid_request, quota
 * errors, queue_full.
 */
export async function importText(ctx: Ctx, text: string): Promise<ImportReport> {
  await assertQueueCapacity(ctx);
  const pieces: Pieces = async function* () {
    yield text;
  };
  return importWorkspace(
    ctx,
    { pieces, asPublicFacts: false },
    {
      follow: (tx) => resumeTracking(ctx, stepsInTransaction(tx)),
      finish: async (tx, { report, sha256, isNew }) => {
        if (!isNew) return;
        await insertImport(tx, ctx.workspaceId, { sha256, report, now: ctx.clock.now() });
        await writeAudit(tx, ctx, {
          action: 'import.done',
          subject: 'workspace',
          detail: { tables: report.tables.length },
        });
      },
    },
  );
}

/**
 * Accepts the import of the parts 1 to `parts`. Throws invalid_request for a missing part and while
 * the parts are imported otherwise, queue_full, and forbidden when somebody who is no operator asks
 * for public facts.
 */
export async function requestImport(
  ctx: Ctx,
  { parts, asPublicFacts }: { parts: number; asPublicFacts: boolean },
): Promise<{ job: JobReference; poll: string }> {
  if (asPublicFacts) await assertManagesInstance(ctx);
  await assertQueueCapacity(ctx);
  return inTenant(ctx, async (tx) => {
    const there = await countImportParts(tx, ctx.workspaceId, parts);
    if (there < parts) throw invalid('parts', 'parts that were uploaded before', there, parts);
    const payload: ImportPayload = { actor: ctx.actor, workspaceState: ctx.workspaceState };
    const job = await accept(tx, ctx, {
      appId: null,
      kind: 'import',
      dedupeKey: 'import',
      payload,
      total: 1,
    });
    const row = await upsertImport(tx, ctx.workspaceId, {
      jobId: job.id,
      parts,
      asPublicFacts,
      now: ctx.clock.now(),
    });
    if (row.asPublicFacts !== asPublicFacts)
      throw invalid('asPublicFacts', 'the same as that of the import in progress');
    return { job, poll: `/workspace/imports/${row.id}` };
  });
}

/**
 * Runs the job and continues after a crash. A rejected file is recorded in the import and not
 * retried. Throws PermanentFailure when the file was deleted.
 */
export async function runImport(
  services: CheckServices,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string } | null> {
  // Only requestImport fills the payload.
  const { actor, workspaceState } = job.payload as ImportPayload;
  const ctx: Ctx = { ...services, workspaceId: job.workspaceId, workspaceState, actor };
  const found = await inTenant(ctx, (tx) => findImport(tx, ctx.workspaceId, { jobId: job.id }));
  if (!found) return null;
  const { id, parts, asPublicFacts } = found;
  const keepLease = () => extendLease(ctx, job.id, signal);
  if (found.report === null) {
    const refusal = await findRefusal(
      importWorkspace(
        ctx,
        { pieces: (tx) => readParts(ctx, { tx, parts, keepLease, signal }), asPublicFacts },
        endOf(ctx, found),
      ),
    ).catch(async (error) => {
      // An attempt whose worker was stopped may have committed meanwhile, which deletes the parts.
      if (error instanceof PermanentFailure && (await isImported(ctx, id))) return null;
      throw error;
    });
    if (refusal)
      await inTenant(ctx, (tx) =>
        updateImport(tx, ctx.workspaceId, id, {
          report: null,
          sha256: null,
          followedTo: null,
          refusal,
        }),
      );
  }
  // Before tracking begins here: ids of snapshots and scores are in the order of their instants.
  if (asPublicFacts) await publishFacts(services, job.workspaceId, keepLease);
  await resumeTrackingInSteps(ctx, id, keepLease);
  return { path: `/workspace/imports/${id}` };
}

async function findRefusal(
  work: Promise<unknown>,
): Promise<NonNullable<WorkspaceImport['refusal']> | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    // Nothing is wrong with the file.
    if (error instanceof PermanentFailure) throw error;
    return { message: error.message, issues: error.detail.issues ?? [] };
  }
}

async function isImported(ctx: Ctx, id: number): Promise<boolean> {
  const row = await inTenant(ctx, (tx) => findImport(tx, ctx.workspaceId, { id }));
  return row !== undefined && row.report !== null;
}

/** Commits the report with the rows and deletes the parts. Store demand follows. */
function endOf(
  ctx: Ctx,
  { id: importId, asPublicFacts }: { id: number; asPublicFacts: boolean },
): Ending {
  return {
    follow: async () => {},
    finish: async (tx, { report, sha256, isNew, followedTo }) => {
      await updateImport(tx, ctx.workspaceId, importId, {
        report,
        sha256,
        followedTo,
        refusal: null,
      });
      await deleteImportParts(tx, ctx.workspaceId);
      if (isNew)
        await writeAudit(tx, ctx, {
          action: 'import.done',
          subject: 'workspace',
          detail: { tables: report.tables.length, asPublicFacts },
        });
    },
  };
}

/** Throws not_found. */
export async function getImport(ctx: Ctx, id: number): Promise<WorkspaceImport> {
  const row = await inTenant(ctx, (tx) => findImport(tx, ctx.workspaceId, { id }));
  if (!row) throw notFound();
  const { report, refusal } = row as {
    report: WorkspaceImport['report'];
    refusal: WorkspaceImport['refusal'];
  };
  const { state, asPublicFacts } = row;
  const createdAt = row.createdAt.toISOString();
  return { id: row.id, state, createdAt, asPublicFacts, report, refusal };
}

/** Deletes parts that were not imported within a day, unless their import may run again. */
export function purgeImportParts(services: Services): Promise<void> {
  return deleteOldImportParts(services.systemDb, {
    before: new Date(services.clock.now().getTime() - keptMs),
    retriedAfter: retriedAfter(services),
  });
}

async function* readParts(
  ctx: Ctx,
  from: { tx: Tx | null; parts: number; keepLease: () => Promise<void>; signal: AbortSignal },
): AsyncGenerator<string> {
  for (let number = 1; number <= from.parts; number += 1) {
    from.signal.throwIfAborted();
    if (number % partsPerTick === 1) await from.keepLease();
    const find = (tx: Tx) => findImportPart(tx, ctx.workspaceId, number);
    const data = await (from.tx ? find(from.tx) : inTenant(ctx, find));
    if (data === undefined) throw partsDeleted();
    yield (await unpack(data)).toString();
  }
}

/** The lease keeps other workers from starting the job. */
async function extendLease(ctx: Ctx, jobId: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const until = new Date(ctx.clock.now().getTime() + leaseMs);
  await inTenant(ctx, (tx) => extendJobLease(tx, ctx.workspaceId, jobId, until));
}
