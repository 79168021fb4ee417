import type { z } from 'zod';
import type { rankings } from '#contract/rankings.ts';
import { inTenant, type Reader } from '#domain/base/context.ts';
import type { UtcDay } from '#lib/dates.ts';
import { loadWordLocator } from '../listings/locate-words.ts';
import { listFollowed, marketFilterOf, type MarketFilter } from './followed-keywords.ts';
import { notFoundByte } from './daily-rank-codec.ts';
import { positionsGained } from './rank-change.ts';
import { loadResultCounts, type ResultCounts } from './result-counts.ts';
import { loadVisibleRows } from './load-visible-rows.ts';
import { loadSeriesOfListings } from './provider-series.ts';
import { sumUpComparison } from './sum-up-comparison.ts';
import { unseen } from './tracking-periods.ts';
import { pairAt, type VisibleRow } from './visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';

export type Comparison = z.input<
  (typeof rankings)['GET /apps/{id}/rankings/compare']['responses'][200]
>;

/**
 * Each keyword that existed on one of the two days, with its rank on both; null for a day that was
 * not checked. Positions of two providers have no difference. `include` may contain `words`.
 */
export async function compareDays(
  ctx: Reader,
  appId: number,
  query: MarketFilter & { a: UtcDay; b: UtcDay; include?: readonly 'words'[] | undefined },
): Promise<Comparison> {
  const [dayA, dayB] = [windowOf(query.a, query.a), windowOf(query.b, query.b)];
  const { keywords, series, results, rowsA, rowsB, locate } = await inTenant(ctx, async (tx) => {
    const followed = await listFollowed(tx, ctx, appId, marketFilterOf(query));
    const [onA, onB] = [
      await loadVisibleRows(tx, dayA, followed),
      await loadVisibleRows(tx, dayB, followed),
    ];
    const spots = [...listSpots(onA, query.a), ...listSpots(onB, query.b)];
    return {
      keywords: followed,
      series: await loadSeriesOfListings(tx, followed),
      results: await loadResultCounts(tx, spots),
      rowsA: onA,
      rowsB: onB,
      locate: query.include?.includes('words') ? await loadWordLocator(tx, ctx, followed) : null,
    };
  });
  const providerOf = (row: VisibleRow, day: UtcDay): string =>
    row.imported?.get(0)?.provider ?? series.find(row.listingId, day);
  const pairs = keywords.flatMap(({ id, phrase, country, device }, index) => {
    const [rowA, rowB] = [rowsA[index]!, rowsB[index]!];
    if (rowA.trackedDepths[0] === unseen && rowB.trackedDepths[0] === unseen) return [];
    const [a, b] = [pairOn(rowA, query.a, results), pairOn(rowB, query.b, results)];
    const isComparable = providerOf(rowA, query.a) === providerOf(rowB, query.b);
    const delta = isComparable && a && b ? positionsGained(a, b) : null;
    const words = locate && { words: locate({ appId, country, phrase }) };
    return [{ keywordId: id, phrase, ...words, country, device, a, b, delta, isComparable }];
  });
  return {
    items: pairs,
    nextCursor: null,
    total: pairs.length,
    totals: sumUpComparison(pairs),
  };
}

const listSpots = (rows: readonly VisibleRow[], date: UtcDay) =>
  rows
    .filter(({ dailyRanks, imported }) => dailyRanks[0] === notFoundByte && !imported?.has(0))
    .map(({ marketId }) => ({ marketId, date }));

function pairOn(row: VisibleRow, date: UtcDay, results: ResultCounts) {
  const pair = pairAt(row, [date], 0);
  return pair && { ...pair, ...results.of({ marketId: row.marketId, date }, pair) };
}
