import {
  beginExport,
  extendJobLease,
  finishExport,
  insertExportChunk,
} from '../../db/queries/workspace-exports.ts';
import {
  inWorkspaceSnapshot,
  listExportedApps,
  readTableRows,
  type ExportedApp,
} from '../../db/queries/workspace-tables.ts';
import { findWorkspace } from '../../db/queries/workspaces.ts';
import { addDays, minDay, utcDayOf } from '../../lib/dates.ts';
import { stringifyExact } from '../../lib/json.ts';
import { inTenant, type Ctx } from '../context.ts';
import type { HouseJobRow } from '../jobs/house-work.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { exportedTables, factTables, leftOutTables } from './exported-tables.ts';
import { exportSources, type ExportKind } from './open-export.ts';
import { snapshots } from './sources/snapshots.ts';
import type { ExportSource } from './export-source.ts';

export const workspaceFormat = 'toprung-workspace';
export const workspaceFormatVersion = 1;
export type ExportPayload = Pick<Ctx, 'actor' | 'workspaceState'>;

const leaseMs = 120_000;
const keptMs = 86_400_000;
const daysPerRead = 400;
/** Shared facts, as far as the workspace may see them: by the very reads of its people. */
const factKinds: ExportKind[] = [
  'rankings',
  'serp',
  'reviews',
  'changes',
  'category-ranks',
  'scores',
];
const factSources: [string, ExportSource][] = [
  ...factKinds.map((kind): [string, ExportSource] => [kind.replace('-', '_'), exportSources[kind]]),
  ['snapshots', snapshots],
];

/**
 * Writes a workspace into its export: a line that says what it is, a line for each row, and a line with the count and the
 * hash of those before. Its own tables are of one instant; shared facts are read after them, app by app. Begun again it
 * begins anew.
 */
export async function writeWorkspaceExport(
  services: CheckServices,
  job: HouseJobRow,
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
      tables: [...exportedTables.map(({ name }) => name), ...Object.keys(factTables)],
      leftOut: leftOutTables,
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

/** All days there can be anything of, at most 400 at a time; days without a check are left out. */
async function writeFacts(
  ctx: Ctx,
  writer: ChunkWriter,
  app: ExportedApp,
  table: string,
  source: ExportSource,
): Promise<void> {
  const today = utcDayOf(ctx.clock.now());
  for (let from = utcDayOf(app.createdAt); from <= today; from = addDays(from, daysPerRead)) {
    const to = minDay(addDays(from, daysPerRead - 1), today);
    for await (const items of source.pages({ ctx, app, from, to, withArchived: true })) {
      for (const item of items) {
        if ('state' in item && item.state === 'not_checked') continue;
        await writer.write(stringifyExact({ table, row: { appId: app.id, ...item } }));
      }
    }
  }
}
