import type { z } from 'zod';
import type { serp } from '../../contract/serp.ts';
import type { Tx } from '../../db/database.ts';
import { findNewestSerpDay, listSerpDays } from '../../db/queries/serps.ts';
import { utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { getFollowed } from '../rankings/followed.ts';
import { followedSpans, termDepthOn } from '../rankings/terms.ts';
import { readDayRange, type DayRange } from '../rankings/window.ts';
import { findKeptSerp, readListings, toSerpItem } from './kept-serp.ts';

export type Serp = z.input<(typeof serp)['GET /keywords/{keywordId}/serp']['responses'][200]>;
interface SerpQuery {
  date?: UtcDay | undefined;
  limit: number;
}

export type SerpDates = z.input<
  (typeof serp)['GET /keywords/{keywordId}/serp/dates']['responses'][200]
>;

/** The kept results of a day, the newest without a word. Throws not_found when there are none to be seen. */
export async function readSerp(ctx: Ctx, keywordId: number, query: SerpQuery): Promise<Serp> {
  const serp = await inTenant(ctx, (tx) => findSerp(tx, ctx, keywordId, query));
  if (!serp) throw notFound();
  return serp;
}

/** The first 50 of the newest kept results; null when there are none to be seen. Throws not_found for a keyword of others. */
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
  const spans = followedSpans(keyword.terms, utcDayOf(ctx.clock.now()));
  const date = query.date ?? (await findNewestSerpDay(tx, keyword.marketId, spans));
  const kept = date === null ? null : await findKeptSerp(tx, keyword, date);
  if (!kept) return null;
  const ids = kept.listingIds.slice(0, query.limit);
  const listings = await readListings(tx, ctx, ids, keyword.appId);
  const items = ids.flatMap((id, index) => {
    const listing = listings.get(id);
    return listing ? [toSerpItem(listing, index + 1, kept.strengths[index])] : [];
  });
  return {
    date: kept.date,
    depth: kept.depth,
    resultCount: kept.resultCount,
    kept: kept.listingIds.length,
    items,
  };
}

/** The days with kept results that the keyword's terms let be seen, newest first. */
export async function listSerpDates(
  ctx: Ctx,
  keywordId: number,
  query: DayRange,
): Promise<SerpDates> {
  const range = readDayRange(query, ctx.clock.now());
  const { keyword, rows } = await inTenant(ctx, async (tx) => {
    const followed = await getFollowed(tx, ctx, keywordId);
    return {
      keyword: followed,
      rows: await listSerpDays(tx, { marketId: followed.marketId, ...range }),
    };
  });
  const items = rows.flatMap((row) => {
    const followed = termDepthOn(keyword.terms, row.date);
    const cut = (count: number) => Math.min(count, followed ?? 0);
    return followed
      ? [
          {
            date: row.date,
            depth: cut(row.depth),
            resultCount: cut(row.resultCount),
            kept: cut(row.kept),
          },
        ]
      : [];
  });
  return { items, nextCursor: null, total: items.length };
}
