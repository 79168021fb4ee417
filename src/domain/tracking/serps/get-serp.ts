import type { z } from 'zod';
import type { serp } from '#contract/serp.ts';
import type { Tx } from '#db/database.ts';
import { findNewestSerpDay, listSerpDays } from '#db/queries/serps/serps.ts';
import { findNewestImportedDay, listImportedSerpDays } from '#db/queries/imports/imported-facts.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getFollowed } from '../rankings/followed-keywords.ts';
import { trackedSpans, trackedDepthOn } from '../rankings/tracking-periods.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { loadDayResults } from './day-results.ts';
import { loadResultRatings, toSerpItem } from './stored-serp.ts';

export type Serp = z.input<(typeof serp)['GET /keywords/{keywordId}/serp']['responses'][200]>;
interface SerpQuery {
  date?: UtcDay | undefined;
  limit: number;
}

export type SerpDates = z.input<
  (typeof serp)['GET /keywords/{keywordId}/serp/dates']['responses'][200]
>;

/** The stored results of a day, by default the latest. Throws not_found when none are visible. */
export async function getSerp(ctx: Ctx, keywordId: number, query: SerpQuery): Promise<Serp> {
  const serp = await inTenant(ctx, (tx) => findSerp(tx, ctx, keywordId, query));
  if (!serp) throw notFound();
  return serp;
}

/**
 * The first 50 of the latest stored results; null when none are visible. Throws not_found for
 * another workspace's keyword.
 */
export function findNewestSerp(tx: Tx, ctx: Ctx, keywordId: number): Promise<Serp | null> {
  return findSerp(tx, ctx, keywordId, { limit: 50 });
}

async function findSerp(
  tx: Tx,
  ctx: Ctx,
  keywordId: number,
  query: SerpQuery,
): Promise<Serp | null> {
  const keyword = await getFollowed(tx, ctx, keywordId);
  const spans = trackedSpans(keyword.trackingPeriods, utcDayOf(ctx.clock.now()));
  const date =
    query.date ??
    (await findNewestSerpDay(tx, keyword.marketId, spans)) ??
    (await findNewestImportedDay(tx, ctx.workspaceId, { kind: 'serp', keywordId }));
  const options = { first: query.limit, unknown: new Map() };
  const results = date === null ? null : await loadDayResults(tx, ctx, keyword, date, options);
  if (!results) return null;
  const { serp: kept, listings } = results;
  const ids = kept.listingIds.slice(0, query.limit);
  const ratingsOf = await loadResultRatings(tx, kept, ids, keyword.country);
  const items = ids.flatMap((id, index) => {
    const listing = listings.get(id);
    return listing ? [toSerpItem(listing, index + 1, ratingsOf(id, index + 1))] : [];
  });
  return {
    date: kept.date,
    depth: kept.depth,
    resultCount: kept.resultCount,
    kept: kept.listingIds.length,
    provider: kept.provider,
    ads: kept.ads,
    items,
  };
}

/**
 * The days with stored results that the keyword's tracking periods make visible, and those with
 * imported ones, newest first.
 */
export async function listSerpDates(
  ctx: Ctx,
  keywordId: number,
  query: DayRange,
): Promise<SerpDates> {
  const range = parseDayRange(query, ctx.clock.now());
  const { keyword, rows, imported } = await inTenant(ctx, async (tx) => {
    const followed = await getFollowed(tx, ctx, keywordId);
    return {
      keyword: followed,
      rows: await listSerpDays(tx, { marketId: followed.marketId, ...range }),
      imported: await listImportedSerpDays(tx, ctx.workspaceId, { keywordId, ...range }),
    };
  });
  const own = rows.flatMap((row) => {
    const followed = trackedDepthOn(keyword.trackingPeriods, row.date);
    const cut = (count: number) => Math.min(count, followed ?? 0);
    return followed
      ? [
          {
            date: row.date,
            depth: cut(row.depth),
            resultCount: cut(row.resultCount),
            kept: cut(row.kept),
            provider: row.provider,
          },
        ]
      : [];
  });
  const dates = new Set(own.map(({ date }) => date));
  const items = [...own, ...imported.filter(({ date }) => !dates.has(date))].sort((a, b) =>
    a.date < b.date ? 1 : -1,
  );
  return { items, nextCursor: null, total: items.length };
}
