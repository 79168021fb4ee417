import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { z } from 'zod';
import { historyPartBytes } from '#contract/body-limits.ts';
import type { HistoryReason, Reading } from './reading.ts';
import type { historyImports } from '#contract/history-imports.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import type { Tx } from '#db/database.ts';
import {
  countHistoryImports,
  deleteHistoryImport,
  deleteOldHistoryImports,
  findHistoryImport,
  insertHistoryImport,
  listHistoryImports,
  lockHistoryImport,
  startHistoryCheck,
  startHistoryRun,
  type HistoryImportRow,
} from '#db/queries/history-imports/history-imports.ts';
import {
  deleteOldHistoryParts,
  deleteSurplusHistoryParts,
  hasHistoryParts,
  listHistoryParts,
  upsertHistoryPart,
} from '#db/queries/history-imports/parts-and-chunks.ts';
import { inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import { partsDeleted } from '#domain/base/jobs/permanent-failure.ts';
import { listDeviceIds } from '#domain/base/ports.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { retriedAfter } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { getActiveApp } from '#domain/tracking/apps/get-app.ts';
import { missingParts } from './stored-file.ts';

type Detail = z.input<(typeof historyImports)['GET /history-imports/{importId}']['responses'][200]>;
type ListOperation = (typeof historyImports)['GET /history-imports'];
type ImportList = z.input<ListOperation['responses'][200]>;
export type HistoryJobPayload = Pick<Ctx, 'actor' | 'workspaceState'> & { importId: number };

const pack = promisify(gzip);
const dayMs = 86_400_000;
const keptFiles = 5;

/** Throws not_found, and invalid_request for an archived app. */
export async function createHistoryImport(
  ctx: Ctx,
  { appId, fileName }: { appId: number; fileName: string },
): Promise<Detail> {
  assertStorable('fileName', fileName);
  return inTenant(ctx, async (tx) => {
    await getActiveApp(tx, ctx, appId);
    const id = await insertHistoryImport(tx, ctx.workspaceId, {
      appId,
      fileName,
      requestedBy: ctx.actor.email,
      now: ctx.clock.now(),
    });
    return toDetail(await find(tx, ctx, id));
  });
}

/**
 * Stores an uploaded part for a day; a new upload replaces it. The first part of a file deletes the
 * files of older imports. Throws not_found, and invalid_request while the file is being read and
 * while five others are.
 */
export async function storeHistoryPart(
  ctx: Ctx,
  importId: number,
  number: number,
  base64: string,
): Promise<{ part: number; bytes: number }> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 || bytes.length > historyPartBytes)
    throw invalid('data', 'bytes of a part', bytes.length, historyPartBytes);
  const data = await pack(bytes, { level: 1 });
  await inTenant(ctx, async (tx) => {
    await lockIdle(tx, ctx, importId);
    if (!(await hasHistoryParts(tx, ctx.workspaceId, importId))) await addFile(tx, ctx);
    await upsertHistoryPart(tx, ctx.workspaceId, {
      importId,
      number,
      bytes: bytes.length,
      data,
      now: ctx.clock.now(),
    });
  });
  return { part: number, bytes: bytes.length };
}

/** Deletes older files, so that there are at most five with the new one. */
async function addFile(tx: Tx, ctx: Ctx): Promise<void> {
  const others = await deleteSurplusHistoryParts(tx, ctx.workspaceId, keptFiles - 1);
  if (others >= keptFiles)
    throw invalid(
      'importId',
      'at most four other files that are being read; wait until one has ended',
      others,
      keptFiles - 1,
    );
}

/**
 * Accepts a check of the parts 1 to `parts`. Throws not_found, queue_full, and invalid_request for
 * a missing part and while the import is in progress.
 */
export async function requestHistoryCheck(
  ctx: Ctx,
  importId: number,
  { parts, reading }: { parts: number; reading: Reading },
): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  assertReadable(reading);
  return inTenant(ctx, async (tx) => {
    await lockIdle(tx, ctx, importId);
    const { appId } = await find(tx, ctx, importId);
    const { store } = await getActiveApp(tx, ctx, appId);
    const devices = listDeviceIds(store);
    if (reading.device !== undefined && !devices.includes(reading.device))
      throw invalid('reading.device', `one of ${devices.join(', ')}`, reading.device);
    const stored = await listHistoryParts(tx, ctx.workspaceId, importId, parts);
    if (stored.length < parts) throw missingParts(stored.length, parts);
    const job = await acceptJob(tx, ctx, { appId, importId, kind: 'history-check' });
    await startHistoryCheck(tx, ctx.workspaceId, importId, { jobId: job.id, parts, reading });
    return { job, poll: `/history-imports/${importId}` };
  });
}

/** Accepts the import of checked rows. Throws not_found, invalid_request, queue_full. */
export async function requestHistoryRun(
  ctx: Ctx,
  importId: number,
): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  return inTenant(ctx, async (tx) => {
    await lockIdle(tx, ctx, importId);
    const { appId, phase } = await find(tx, ctx, importId);
    if (phase !== 'checked' && phase !== 'importing')
      throw invalid('importId', 'a history that was checked to its end, and not imported yet');
    await getActiveApp(tx, ctx, appId);
    const job = await acceptJob(tx, ctx, { appId, importId, kind: 'history-import' });
    await startHistoryRun(tx, ctx.workspaceId, importId, job.id);
    return { job, poll: `/history-imports/${importId}` };
  });
}

/**
 * Runs the job of a check, beside the event loop. Throws PermanentFailure when the file was
 * deleted.
 */
export async function runHistoryCheck(
  services: Services,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string }> {
  const { importId } = job.payload as HistoryJobPayload;
  await assertFileStored(services, job, importId);
  const task = { importId, workspaceId: job.workspaceId, jobId: job.id };
  await services.historyFiles.checkFile(task, signal);
  return { path: `/history-imports/${importId}` };
}

async function assertFileStored(
  { systemDb }: Services,
  { id: jobId, workspaceId }: BackgroundJobRow,
  importId: number,
): Promise<void> {
  const found = await findHistoryImport(systemDb, workspaceId, importId);
  if (!found) throw partsDeleted();
  if (found.phase !== 'checking' || found.jobId !== jobId) return;
  const parts = found.parts ?? 0;
  const stored = await listHistoryParts(systemDb, workspaceId, importId, parts);
  if (stored.length < parts) throw partsDeleted();
}

/** Throws not_found. */
export function getHistoryImport(ctx: Ctx, id: number): Promise<Detail> {
  return inTenant(ctx, async (tx) => toDetail(await find(tx, ctx, id)));
}

/** The imports of the workspace, the newest first. */
export async function listImports(
  ctx: Ctx,
  { cursor, limit }: z.output<ListOperation['query']>,
): Promise<ImportList> {
  const before =
    cursor === undefined ? null : readIdCursor('history imports', cursor, Number.MAX_SAFE_INTEGER);
  return inTenant(ctx, async (tx) => {
    const page = { id: null, before, limit: limit + 1 };
    const rows = await listHistoryImports(tx, ctx.workspaceId, page);
    const items = rows.slice(0, limit).map(toImport);
    return {
      items,
      nextCursor: rows.length > limit ? writeCursor('history imports', [items.at(-1)!.id]) : null,
      total: await countHistoryImports(tx, ctx.workspaceId),
    };
  });
}

/** Throws not_found, and invalid_request while it is in progress. */
export async function removeHistoryImport(
  ctx: Ctx,
  id: number,
): Promise<{ id: number; deleted: true }> {
  await inTenant(ctx, async (tx) => {
    await lockIdle(tx, ctx, id);
    await deleteHistoryImport(tx, ctx.workspaceId, id);
  });
  return { id, deleted: true };
}

/** Deletes files after a day, and results after a week, unless their job may run again. */
export async function purgeHistoryImports(services: Services): Promise<void> {
  const { systemDb, clock } = services;
  const daysAgo = (days: number) => ({
    before: new Date(clock.now().getTime() - days * dayMs),
    retriedAfter: retriedAfter(services),
  });
  await deleteOldHistoryParts(systemDb, daysAgo(1));
  await deleteOldHistoryImports(systemDb, daysAgo(7));
}

export async function find(tx: Tx, ctx: Ctx, id: number): Promise<HistoryImportRow> {
  const row = await findHistoryImport(tx, ctx.workspaceId, id);
  if (!row) throw notFound();
  return row;
}

async function lockIdle(tx: Tx, ctx: Ctx, id: number): Promise<void> {
  if ((await lockHistoryImport(tx, ctx.workspaceId, id)) === undefined) throw notFound();
  const { jobState } = await find(tx, ctx, id);
  if (jobState === 'queued' || jobState === 'running')
    throw invalid('importId', 'a history that is not being read or imported at the moment');
}

function acceptJob(
  tx: Tx,
  ctx: Ctx,
  {
    appId,
    importId,
    kind,
  }: { appId: number; importId: number } & {
    kind: 'history-check' | 'history-import';
  },
): Promise<JobReference> {
  const { actor, workspaceState } = ctx;
  const payload: HistoryJobPayload = { importId, actor, workspaceState };
  return accept(tx, ctx, { appId, kind, dedupeKey: `${kind}_${importId}`, payload, total: 1 });
}

/** Texts of a reading are stored. */
function assertReadable(reading: Reading): void {
  for (const [field, name] of Object.entries(reading.columns))
    if (name !== undefined) assertStorable(`reading.columns.${field}`, name);
  for (const word of reading.notFound) assertStorable('reading.notFound', word);
}

function toImport(row: HistoryImportRow): ImportList['items'][number] {
  const refused = Object.values(row.reasons as Record<string, number>);
  return {
    id: row.id,
    appId: row.appId,
    fileName: row.fileName,
    requestedBy: row.requestedBy,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    phase: row.phase,
    jobState: row.jobState,
    percent: row.percent,
    rowsRead: row.rowsRead,
    counts: {
      written: row.rowsWritten,
      known: row.rowsKnown,
      refused: refused.reduce((sum, rows) => sum + rows, 0),
    },
  };
}

function toDetail(row: HistoryImportRow): Detail {
  const reasons = Object.entries(row.reasons as Record<HistoryReason, number>);
  return {
    ...toImport(row),
    reading: row.reading as Detail['reading'],
    reasons: reasons
      .map(([reason, rows]) => ({ reason: reason as HistoryReason, rows }))
      .toSorted((a, b) => b.rows - a.rows),
    missing: row.missing as Detail['missing'],
    refusal: row.refusal as Detail['refusal'],
  };
}
