import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { z } from 'zod';
import type { imports } from '../../contract/imports.ts';
import {
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
} from '../../db/queries/imports.ts';
import type { Tx } from '../../db/database.ts';
import { extendJobLease } from '../../db/queries/workspace-exports.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { inTenant, type Ctx, type Services } from '../context.ts';
import { AppError, invalid, notFound } from '../errors.ts';
import { accept, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import type { HouseJobRow } from '../jobs/house-work.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { followAgain, stepsWithin } from './follow-again.ts';
import { followInSteps } from './follow-in-steps.ts';
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
const partsPerBeat = 50;

/** Keeps a part of a file for a day; sent again it stands as sent last. Throws invalid_request while the parts are being imported. */
export async function storeImportPart(
  ctx: Ctx,
  number: number,
  text: string,
): Promise<{ part: number; bytes: number }> {
  const data = await pack(text, { level: 5 });
  await inTenant(ctx, async (tx) => {
    if (await hasOpenImport(tx, ctx.workspaceId))
      throw invalid('part', 'parts of the next file, once this one is imported');
    await upsertImportPart(tx, ctx.workspaceId, { number, data, now: ctx.clock.now() });
  });
  return { part: number, bytes: Buffer.byteLength(text) };
}

/** An export that fits into one request, in one transaction. Throws invalid_request, quotas, queue_full. */
export async function importText(ctx: Ctx, text: string): Promise<ImportReport> {
  await requireHeadroom(ctx);
  const pieces: Pieces = async function* () {
    yield text;
  };
  return importWorkspace(ctx, pieces, {
    follow: (tx) => followAgain(ctx, stepsWithin(tx)),
    finish: async (tx, { report, sha256, isNew }) => {
      if (!isNew) return;
      await insertImport(tx, ctx.workspaceId, { sha256, report, now: ctx.clock.now() });
      await writeAudit(tx, ctx, {
        action: 'import.done',
        subject: 'workspace',
        detail: { tables: report.tables.length },
      });
    },
  });
}

/** Accepts the import of the parts 1 to `parts`. Throws invalid_request when one is missing, queue_full. */
export async function requestImport(
  ctx: Ctx,
  parts: number,
): Promise<{ job: JobReference; poll: string }> {
  await requireHeadroom(ctx);
  return inTenant(ctx, async (tx) => {
    const there = await countImportParts(tx, ctx.workspaceId, parts);
    if (there < parts) throw invalid('parts', 'parts that were sent before', there, parts);
    const payload: ImportPayload = { actor: ctx.actor, workspaceState: ctx.workspaceState };
    const job = await accept(tx, ctx, {
      appId: null,
      kind: 'import',
      dedupeKey: 'import',
      payload,
      total: 1,
    });
    const id = await upsertImport(tx, ctx.workspaceId, {
      jobId: job.id,
      parts,
      now: ctx.clock.now(),
    });
    return { job, poll: `/workspace/imports/${id}` };
  });
}

/** Does it, and goes on where it was stopped. A file that is refused is told in the import, and not tried again. */
export async function runImport(
  services: CheckServices,
  job: HouseJobRow,
  signal: AbortSignal,
): Promise<{ path: string } | null> {
  // Only requestImport fills the payload.
  const { actor, workspaceState } = job.payload as ImportPayload;
  const ctx: Ctx = { ...services, workspaceId: job.workspaceId, workspaceState, actor };
  const found = await inTenant(ctx, (tx) => findImport(tx, ctx.workspaceId, { jobId: job.id }));
  if (!found) return null;
  const { id, parts } = found;
  const beat = () => keepLease(ctx, job.id, signal);
  if (found.report === null) {
    const refusal = await findRefusal(
      importWorkspace(ctx, (tx) => readParts(ctx, { tx, parts, beat, signal }), endOf(ctx, id)),
    );
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
  await followInSteps(ctx, id, beat);
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
    return { message: error.message, issues: error.detail.issues ?? [] };
  }
}

/** The report is written with what it reports, and the parts go with it; the stores are asked after that. */
function endOf(ctx: Ctx, importId: number): Ending {
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
          detail: { tables: report.tables.length },
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
  return { id: row.id, state: row.state, createdAt: row.createdAt.toISOString(), report, refusal };
}

/** Deletes parts that nobody asked to import within a day. */
export function forgetParts({ systemDb, clock }: Services): Promise<void> {
  return deleteOldImportParts(systemDb, new Date(clock.now().getTime() - keptMs));
}

async function* readParts(
  ctx: Ctx,
  from: { tx: Tx | null; parts: number; beat: () => Promise<void>; signal: AbortSignal },
): AsyncGenerator<string> {
  for (let number = 1; number <= from.parts; number += 1) {
    from.signal.throwIfAborted();
    if (number % partsPerBeat === 1) await from.beat();
    const find = (tx: Tx) => findImportPart(tx, ctx.workspaceId, number);
    const data = await (from.tx ? find(from.tx) : inTenant(ctx, find));
    if (data === undefined) throw invalid('parts', 'parts that are there', number - 1, from.parts);
    yield (await unpack(data)).toString();
  }
}

/** Nobody else begins the job while it is being done. */
async function keepLease(ctx: Ctx, jobId: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const until = new Date(ctx.clock.now().getTime() + leaseMs);
  await inTenant(ctx, (tx) => extendJobLease(tx, ctx.workspaceId, jobId, until));
}
