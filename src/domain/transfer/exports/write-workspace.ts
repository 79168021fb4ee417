import {
  beginExport,
  extendJobLease,
  finishExport,
  insertExportChunk,
} from '#db/queries/exports/workspace-exports.ts';
import {
  inWorkspaceSnapshot,
  listExportedApps,
  readTableRows,
  type ExportedApp,
} from '#db/queries/exports/workspace-tables.ts';
import { findWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { addDays, minDay, utcDayOf } from '#lib/dates.ts';
import { stringifyExact } from '#lib/json.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { exportedTables, factTables, omittedTables } from './exported-tables.ts';
import { isFactKind } from '#domain/tracking/imported-facts/fact-kinds.ts';
import { exportSources, tableOf, type ExportKind } from './open-export.ts';
import { snapshots } from './sources/snapshots.ts';
import type { ExportSource } from './export-source.ts';
import { withImportedFacts } from './with-imported-facts.ts';

const workspaceFormat = 'toprung-workspace';
const workspaceFormatVersion = 1;
export type ExportPayload = Pick<Ctx, 'actor' | 'workspaceState'>;

const leaseMs = 120_000;
const keptMs = 86_400_000;
const daysPerRead = 400;
/** Before both stores existed. */
const firstDay = '2000-01-01';
/** Shared facts that the workspace may see, by the same reads as the API's. */
const factKinds: ExportKind[] = [
  'rankings',
  'serp',
  'reviews',
  'changes',
  'category-ranks',
  'scores',
  'listing-days',
];
const factSources: [string, ExportSource][] = [
  ...factKinds.map((kind): [string, ExportSource] => [tableOf(kind), exportSources[kind]]),
  ['snapshots', snapshots],
];

/**
 * Writes a workspace's export: a header line, a line per row, and a line with the count and hash of
 * the others. Its own tables are read at one instant, and shared facts after them, app by app.
 * After a crash it starts again.
 */
export async function writeWorkspaceExport(
  services: CheckServices,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string } | null> {
  // Only requestWorkspaceExport fills the payload.
  const { actor, workspaceState } = job.payload as ExportPayload;
  const ctx: Ctx = { ...services, workspaceId: job.workspaceId, workspaceState, actor };
  const exportId = await inTenant(ctx, (tx) => beginExport(tx, ctx.workspaceId, job.id));
  if (exportId === undefined) return null;
  const writer = new ChunkWriter((number, data) => {
    signal.throwIfAborted();
    return inTenant(ctx, async (tx) => {
      await extendJobLease(
        tx,
        ctx.workspaceId,
        job.id,
        new Date(ctx.clock.now().getTime() + leaseMs),
      );
      await insertExportChunk(tx, ctx.workspaceId, { exportId, number, data });
    });
  });
  const apps = await writeOwnTables(ctx, writer);
  for (const app of apps)
    for (const [table, source] of factSources) await writeFacts(ctx, writer, app, table, source);
  const sha256 = await writer.end();
  const expiresAt = new Date(ctx.clock.now().getTime() + keptMs);
  await inTenant(ctx, (tx) =>
    finishExport(tx, ctx.workspaceId, {
      exportId,
      rows: writer.rows,
      bytes: writer.bytes,
      sha256,
      expiresAt,
    }),
  );
  return { path: `/workspace/exports/${exportId}` };
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
  for await (const items of pages) {
    for (const item of items) {
      if ('state' in item && item.state === 'not_checked') continue;
      await writer.write(stringifyExact({ table, row: { appId: app.id, ...item } }));
    }
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
