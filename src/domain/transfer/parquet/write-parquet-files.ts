import {
  listAppsToExport,
  listPositionMonths,
  listWorkspacesToExport,
  type ExportedApp,
} from '#db/queries/parquet/position-months.ts';
import { addDays, minDay, monthOf, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx, Services } from '#domain/base/context.ts';
import type { WrittenParquet } from '#domain/base/ports.ts';
import type { RankingItem } from '../exports/sources/rankings.ts';
import { rankings } from '../exports/sources/rankings.ts';
import type { PositionFiles, PositionRow } from '#domain/base/ports/position-files.ts';

type Scope = Pick<Services, 'appDb' | 'systemDb' | 'clock'>;

/**
 * Writes the positions of every workspace, a file for each month. Months whose facts have not
 * changed stay as they are, and files of workspaces that are gone are removed. The rows are read as
 * those of an export: with the rules of the API, in steps, without a long transaction.
 */
export async function writeParquetFiles(
  services: Scope,
  files: PositionFiles,
  signal: AbortSignal,
): Promise<WrittenParquet> {
  const known = new Map((await files.list()).map((file) => [keyOf(file), file]));
  const result: WrittenParquet = { files: 0, written: 0, removed: 0, rows: 0 };
  for (const workspaceId of await listWorkspacesToExport(services.systemDb)) {
    const now = services.clock.now();
    const months = { today: utcDayOf(now), now };
    for (const { month, fingerprint } of await listPositionMonths(
      services.systemDb,
      workspaceId,
      months,
    )) {
      signal.throwIfAborted();
      const file = { workspaceId, month: month.slice(0, 7), fingerprint };
      const existing = known.get(keyOf(file));
      if (existing?.fingerprint !== fingerprint) {
        const rows = await files.write(file, readRows(services, workspaceId, month, signal));
        // A month without a row has no file; an older one of it is removed below.
        if (rows === 0) continue;
        result.written += 1;
        result.rows += rows;
      }
      result.files += 1;
      known.delete(keyOf(file));
    }
  }
  for (const file of known.values()) await files.remove(file);
  return { ...result, removed: known.size };
}

const keyOf = ({ workspaceId, month }: { workspaceId: number; month: string }): string =>
  `${workspaceId} ${month}`;

/** App by app, and each keyword newest day first. */
async function* readRows(
  services: Scope,
  workspaceId: number,
  month: UtcDay,
  signal: AbortSignal,
): AsyncGenerator<PositionRow[]> {
  const now = services.clock.now();
  const last = addDays(monthOf(addDays(month, 31)), -1);
  // Only this workspace's rows are read, as for a request of its members.
  const ctx = { ...services, workspaceId } as unknown as Ctx;
  for (const app of await listAppsToExport(services.systemDb, workspaceId, now)) {
    const scope = { ctx, app, from: month, to: minDay(last, utcDayOf(now)) };
    for await (const items of rankings.pages(scope)) {
      signal.throwIfAborted();
      yield (items as RankingItem[]).map((item) => toRow(app, item));
    }
  }
}

function toRow(app: ExportedApp, item: RankingItem): PositionRow {
  const isChecked = item.state !== 'not_checked';
  const fallback = isChecked ? null : item.fallback;
  return {
    date: item.date,
    appId: app.id,
    store: app.store,
    storeAppId: app.storeAppId,
    keywordId: item.keywordId,
    keyword: item.phrase,
    country: item.country,
    device: item.device,
    state: item.state,
    position: isChecked ? item.position : null,
    depth: isChecked ? item.depth : null,
    reason: isChecked ? null : item.reason,
    checkedAt: isChecked ? item.checkedAt : null,
    provider: isChecked ? item.provider : null,
    fallbackProvider: fallback?.provider ?? null,
    fallbackPosition: fallback?.position ?? null,
    fallbackDepth: fallback?.depth ?? null,
  };
}
