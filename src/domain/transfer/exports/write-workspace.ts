import { exportBytesMax } from '#contract/body-limits.ts';
import { exportKind } from '#contract/exports.ts';
import {
  beginExport,
  discardExport,
  extendJobLease,
  finishExport,
  insertExportChunk,
  updateExportProgress,
  type BegunExport,
} from '#db/queries/exports/workspace-exports.ts';
import {
  inWorkspaceSnapshot,
  listExportedApps,
  readTableRows,
  type ExportedApp,
} from '#db/queries/exports/workspace-tables.ts';
import { findWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { addDays, firstDay, minDay, utcDayOf } from '#lib/dates.ts';
import { stringifyExact } from '#lib/json.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { PermanentFailure } from '#domain/base/jobs/permanent-failure.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { exportedTables, factTables, omittedTables } from './exported-tables.ts';
import { isFactKind } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { exportSources, tableOf } from './open-export.ts';
import { snapshots } from './sources/snapshots.ts';
import { topCharts } from './sources/top-charts.ts';
import type { ExportSource } from './export-source.ts';
import { readChunks } from './read-chunks.ts';
import { withImportedFacts } from './with-imported-facts.ts';

const workspaceFormat = 'toprung-workspace';
const workspaceFormatVersion = 1;
export type ExportPayload = Pick<Ctx, 'actor' | 'workspaceState'>;

const leaseMs = 120_000;
const keptMs = 86_400_000;
const daysPerRead = 400;

/** Facts that the workspace may see, by the same reads as the API's; keywords are its own rows. */
const factSources: [string, ExportSource][] = [
  ...exportKind.options
    .filter((kind) => kind !== 'keywords')
    .map((kind): [string, ExportSource] => [tableOf(kind), exportSources[kind]]),
  ['charts', topCharts],
  ['snapshots', snapshots],
];

const tables = factSources.map(([table]) => table);
/** A part that ends below this size, and soon after the last one, shares a chunk with the next. */
const minChunkBytes = 262_144;
const longestPartsMs = 1_000;

/**
 * Writes a workspace's export: a header line, a line per row, and a line with the count and hash of
 * the others. Its own tables are read at one instant, and shared facts after them, app by app.
 * After a crash it continues with the first table of an app that was not written to its end. Throws
 * PermanentFailure when the file becomes larger than `bytesMax`, and keeps nothing of it; also when
 * its retention period is over.
 */
export async function writeWorkspaceExport(
  services: CheckServices,
  job: BackgroundJobRow,
  signal: AbortSignal,
  survived: () => Promise<void>,
  { bytesMax = exportBytesMax }: { bytesMax?: number } = {},
): Promise<{ path: string }> {
  // Only requestWorkspaceExport fills the payload.
  const { actor, workspaceState } = job.payload as ExportPayload;
  const ctx: Ctx = { ...services, workspaceId: job.workspaceId, workspaceState, actor };
  const begun = await inTenant(ctx, (tx) => beginExport(tx, ctx.workspaceId, job.id, tables));
  if (begun === undefined)
    throw new PermanentFailure('the export was deleted meanwhile; request a new one');
  const keep = keepChunks(ctx, { exportId: begun.id, jobId: job.id }, signal);
  try {
    await writeFile(ctx, new ChunkWriter(keep, bytesMax), { begun, survived });
  } catch (error) {
    if (error instanceof PermanentFailure)
      await inTenant(ctx, (tx) => discardExport(tx, ctx.workspaceId, begun.id));
    throw error;
  }
  return { path: `/workspace/exports/${begun.id}` };
}

async function writeFile(
  ctx: Ctx,
  writer: ChunkWriter,
  { begun, survived }: { begun: BegunExport; survived: () => Promise<void> },
): Promise<void> {
  const progress = await (begun.written === null
    ? writeFirst(ctx, writer, begun.id)
    : continueExport(ctx, writer, begun));
  await writeParts(ctx, writer, { exportId: begun.id, survived, ...progress });
  await finish(ctx, writer, begun.id);
}

function keepChunks(
  ctx: Ctx,
  { exportId, jobId }: { exportId: number; jobId: number },
  signal: AbortSignal,
): (number: number, data: Buffer) => Promise<void> {
  return (number, data) => {
    signal.throwIfAborted();
    return inTenant(ctx, async (tx) => {
      const until = new Date(ctx.clock.now().getTime() + leaseMs);
      await extendJobLease(tx, ctx.workspaceId, jobId, until);
      await insertExportChunk(tx, ctx.workspaceId, { exportId, number, data });
    });
  };
}

interface Progress {
  apps: ExportedApp[];
  parts: number;
}

async function writeFirst(ctx: Ctx, writer: ChunkWriter, exportId: number): Promise<Progress> {
  const apps = await writeOwnTables(ctx, writer);
  await writer.endChunk();
  const written = { chunks: writer.chunks, parts: 0, tables };
  await inTenant(ctx, (tx) =>
    updateExportProgress(tx, ctx.workspaceId, exportId, { written, apps }),
  );
  return { apps, parts: 0 };
}

async function continueExport(
  ctx: Ctx,
  writer: ChunkWriter,
  { id, apps, written }: BegunExport,
): Promise<Progress> {
  await writer.continueAfter(readChunks(ctx, id));
  const read = (apps as (Omit<ExportedApp, 'createdAt'> & { createdAt: string })[]).map((app) => ({
    ...app,
    createdAt: new Date(app.createdAt),
  }));
  return { apps: read, parts: written?.parts ?? 0 };
}

/** Writes the facts of the apps from a part on. Each table of an app is a part. */
async function writeParts(
  ctx: Ctx,
  writer: ChunkWriter,
  {
    exportId,
    apps,
    parts,
    survived,
  }: Progress & {
    exportId: number;
    survived: () => Promise<void>;
  },
): Promise<void> {
  const all = apps.flatMap((app) => factSources.map((source) => [app, ...source] as const));
  let endedMs = performance.now();
  for (const [index, part] of all.entries()) {
    if (index < parts) continue;
    await writeFacts(ctx, writer, ...part);
    const isLong = performance.now() - endedMs >= longestPartsMs;
    if (!(await writer.endChunk(isLong ? 1 : minChunkBytes))) continue;
    endedMs = performance.now();
    const written = { chunks: writer.chunks, parts: index + 1, tables };
    // First, because a process that dies in between has made progress.
    await survived();
    await inTenant(ctx, (tx) => updateExportProgress(tx, ctx.workspaceId, exportId, { written }));
  }
}

async function finish(ctx: Ctx, writer: ChunkWriter, exportId: number): Promise<void> {
  const sha256 = await writer.end();
  const { rows, bytes } = writer;
  const expiresAt = new Date(ctx.clock.now().getTime() + keptMs);
  await inTenant(ctx, (tx) =>
    finishExport(tx, ctx.workspaceId, { exportId, rows, bytes, sha256, expiresAt }),
  );
}

async function writeOwnTables(ctx: Ctx, writer: ChunkWriter): Promise<ExportedApp[]> {
  return inWorkspaceSnapshot(ctx.appDb, ctx.workspaceId, async (tx) => {
    const workspace = await findWorkspace(tx, ctx.workspaceId);
    const manifest = {
      format: workspaceFormat,
      version: workspaceFormatVersion,
      exportedAt: ctx.clock.now().toISOString(),
      workspace: { id: ctx.workspaceId, name: workspace?.name ?? '' },
      tables: [...exportedTables.map(({ name }) => name), ...factTables],
      omitted: omittedTables,
    };
    await writer.write(stringifyExact({ manifest }));
    for (const table of exportedTables) {
      const head = `{"table":${JSON.stringify(table.name)},"row":`;
      for await (const rows of readTableRows(tx, ctx.workspaceId, table))
        for (const row of rows) await writer.write(`${head}${row}}`);
    }
    return listExportedApps(tx, ctx.workspaceId, ctx.clock.now());
  });
}

/** The facts of an app, its own and imported ones; days without a check are omitted. */
async function writeFacts(
  ctx: Ctx,
  writer: ChunkWriter,
  app: ExportedApp,
  table: string,
  source: ExportSource,
): Promise<void> {
  const own = readAllDays(ctx, app, source);
  const pages = isFactKind(table)
    ? withImportedFacts(ctx, { kind: table, appId: app.id }, own)
    : own;
  for await (const items of untilDeleted(pages)) {
    for (const item of items) {
      if ('state' in item && item.state === 'not_checked') continue;
      await writer.write(stringifyExact({ table, row: { appId: app.id, ...item } }));
    }
  }
}

/** An app that is deleted while the export runs has no more facts. */
async function* untilDeleted(pages: AsyncIterable<object[]>): AsyncGenerator<object[]> {
  try {
    yield* pages;
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
}

/** All days with possible data, at most 400 at a time. */
async function* readAllDays(
  ctx: Ctx,
  app: ExportedApp,
  source: ExportSource,
): AsyncGenerator<object[]> {
  const today = utcDayOf(ctx.clock.now());
  if (source.hasEarlierDays)
    return yield* source.pages({ ctx, app, from: firstDay, to: today, withArchived: true });
  for (let from = utcDayOf(app.createdAt); from <= today; from = addDays(from, daysPerRead)) {
    const to = minDay(addDays(from, daysPerRead - 1), today);
    yield* source.pages({ ctx, app, from, to, withArchived: true });
  }
}
