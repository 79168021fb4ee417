import type { z } from 'zod';
import type { popularity } from '#contract/popularity.ts';
import { popularityPartBytes } from '#contract/body-limits.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import {
  countPopularityImports,
  deleteOldPopularityParts,
  findPopularityImport,
  hasOpenPopularityImport,
  listPopularityImports,
  listPopularityParts,
  upsertPopularityImport,
  upsertPopularityPart,
  type PopularityImportRow,
} from '#db/queries/popularity/imports.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import { partsDeleted } from '#domain/base/jobs/permanent-failure.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { retriedAfter } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { assertManagesPopularity } from './assert-manages-popularity.ts';

type ImportDetail = z.input<
  (typeof popularity)['GET /popularity/imports/{importId}']['responses'][200]
>;
type ListOperation = (typeof popularity)['GET /popularity/imports'];
type ImportList = z.input<ListOperation['responses'][200]>;

const keptMs = 86_400_000;

/**
 * Stores an uploaded part for a day; a new upload replaces it. Throws forbidden, and
 * invalid_request while the parts are being imported.
 */
export async function storePopularityPart(
  ctx: Ctx,
  number: number,
  base64: string,
): Promise<{ part: number; bytes: number }> {
  await assertManagesPopularity(ctx);
  const data = Buffer.from(base64, 'base64');
  if (data.length === 0 || data.length > popularityPartBytes)
    throw invalid('data', 'bytes of a part', data.length, popularityPartBytes);
  await inTenant(ctx, async (tx) => {
    if (await hasOpenPopularityImport(tx, ctx.workspaceId))
      throw invalid('part', 'the parts of the next file, once this one is imported');
    await upsertPopularityPart(tx, ctx.workspaceId, { number, data, now: ctx.clock.now() });
  });
  return { part: number, bytes: data.length };
}

/**
 * Accepts the import of the parts 1 to `parts`. Throws forbidden, queue_full, and invalid_request
 * for a missing part. While one is open, the same job is returned.
 */
export async function requestPopularityImport(
  ctx: Ctx,
  { parts, fileName }: { parts: number; fileName: string },
): Promise<{ job: JobReference; poll: string }> {
  await assertManagesPopularity(ctx);
  assertStorable('fileName', fileName);
  await assertQueueCapacity(ctx);
  return inSystem(ctx, async (tx) => {
    const stored = await listPopularityParts(tx, ctx.workspaceId, parts);
    if (stored.length < parts)
      throw invalid('parts', 'parts that were uploaded before', stored.length, parts);
    const job = await accept(tx, ctx, {
      appId: null,
      kind: 'popularity-import',
      dedupeKey: 'popularity-import',
      payload: {},
      total: 1,
    });
    const bytes = stored.reduce((sum, part) => sum + part.bytes, 0);
    const id = await upsertPopularityImport(tx, {
      jobId: job.id,
      requestedBy: ctx.actor.email,
      fileName,
      bytes,
      parts,
      now: ctx.clock.now(),
    });
    if (!job.deduped)
      await writeAudit(tx, ctx, {
        action: 'import.done',
        subject: 'popularity',
        detail: { fileName, bytes },
      });
    return { job, poll: `/popularity/imports/${id}` };
  });
}

/**
 * Runs the job and begins anew after a crash. A refused file is recorded and not retried. Throws
 * PermanentFailure when the file was deleted.
 */
export async function runPopularityImport(
  services: Services,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string } | null> {
  const found = await findPopularityImport(services.systemDb, { jobId: job.id });
  if (!found) return null;
  const stored = await listPopularityParts(services.systemDb, job.workspaceId, found.parts);
  if (found.finishedAt === null && stored.length < found.parts) throw partsDeleted();
  const task = { importId: found.id, workspaceId: job.workspaceId, jobId: job.id };
  await services.popularityFiles.importFile(task, signal);
  return { path: `/popularity/imports/${found.id}` };
}

/** The imports of this instance, the newest first. Throws forbidden. */
export async function listImports(
  ctx: Ctx,
  query: z.output<ListOperation['query']>,
): Promise<ImportList> {
  await assertManagesPopularity(ctx);
  const { cursor, limit } = query;
  const before =
    cursor === undefined
      ? null
      : readIdCursor('popularity imports', cursor, Number.MAX_SAFE_INTEGER);
  const rows = await listPopularityImports(ctx.systemDb, { before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    items: page.map(toImport),
    nextCursor: rows.length > limit ? writeCursor('popularity imports', [page.at(-1)!.id]) : null,
    total: await countPopularityImports(ctx.systemDb),
  };
}

/** Throws forbidden, not_found. */
export async function getPopularityImport(ctx: Ctx, id: number): Promise<ImportDetail> {
  await assertManagesPopularity(ctx);
  const row = await findPopularityImport(ctx.systemDb, { id });
  if (!row) throw notFound();
  const { refused, sets } = row as Pick<ImportDetail, 'refused' | 'sets'>;
  return { ...toImport(row), refused, sets };
}

/** Deletes parts that were not imported within a day, unless their import may run again. */
export function purgePopularityParts(services: Services): Promise<void> {
  return deleteOldPopularityParts(services.systemDb, {
    before: new Date(services.clock.now().getTime() - keptMs),
    retriedAfter: retriedAfter(services),
  });
}

function toImport(row: PopularityImportRow): ImportList['items'][number] {
  return {
    id: row.id,
    state: row.state,
    fileName: row.fileName,
    bytes: row.bytes,
    format: row.format,
    requestedBy: row.requestedBy,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    percent: row.percent,
    rowsRead: row.rowsRead,
    rowsRefused: row.rowsRefused,
    refusal: row.refusal as ImportDetail['refusal'],
  };
}
