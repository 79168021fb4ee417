import type { z } from 'zod';
import type { checkedDailyRank, rankings } from '#contract/rankings.ts';
import { countLatest, listLatest, type LatestRow } from '#db/queries/rankings/rank-months.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { loadSeriesOfApps, type ProviderSeries } from './provider-series.ts';
import { loadLatestResultCounts } from './result-counts.ts';
import { readRankIdCursor, writeRankIdCursor } from './rank-cursor.ts';

export type LatestDailyRanks = z.input<(typeof rankings)['GET /rankings/latest']['responses'][200]>;

export interface LatestQuery {
  limit: number;
  cursor?: string | undefined;
  appIds?: number[] | undefined;
  country?: string | undefined;
  device?: string | undefined;
}

/** The latest rank of every keyword of the workspace, by keyword id. */
export async function listLatestDailyRanks(
  ctx: Ctx,
  query: LatestQuery,
): Promise<LatestDailyRanks> {
  const afterId = query.cursor === undefined ? 0 : readRankIdCursor(query.cursor);
  const { appIds = null, country = null, device = null } = query;
  const filter = { appIds, country, device };
  const { rows, total, series, results } = await inTenant(ctx, async (tx) => {
    const found = await listLatest(tx, ctx.workspaceId, {
      ...filter,
      afterId,
      limit: query.limit + 1,
    });
    const isAll = afterId === 0 && found.length <= query.limit;
    return {
      rows: found,
      series: await loadSeriesOfApps(tx, found),
      results: await loadLatestResultCounts(
        tx,
        ctx,
        found.filter(({ latest }) => latest?.position === null).map(({ keywordId }) => keywordId),
      ),
      total: isAll ? found.length : await countLatest(tx, ctx.workspaceId, filter),
    };
  });
  const shown = rows.slice(0, query.limit);
  const items = shown.map((row) => ({
    keywordId: row.keywordId,
    appId: row.appId,
    phrase: row.phrase,
    country: row.country,
    device: row.device,
    latest: toCheckedDailyRank(row, series, results.get(row.keywordId)),
  }));
  return {
    items,
    nextCursor: rows.length > shown.length ? writeRankIdCursor(shown.at(-1)!.keywordId) : null,
    total,
  };
}

/** The latest rank as stored with a keyword; null when it was never checked. */
function toCheckedDailyRank(
  { keywordId, appId, latest }: LatestRow,
  series: ProviderSeries,
  resultCount: number | undefined,
): z.input<typeof checkedDailyRank> | null {
  if (latest === null) return null;
  const { on, position, depth, at, isImported, importedProvider } = latest;
  return {
    date: on,
    keywordId,
    state: position === null ? 'not_found' : 'ranked',
    position,
    depth,
    ...(resultCount !== undefined && !isImported && { resultCount }),
    checkedAt: at.toISOString(),
    provider: series.ofLatest(appId, on, importedProvider),
  };
}
