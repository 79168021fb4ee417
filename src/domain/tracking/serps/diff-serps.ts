import type { z } from 'zod';
import type { serp } from '#contract/serp.ts';
import type { SerpListing } from '#db/queries/serps/serps.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getFollowed } from '../rankings/followed-keywords.ts';
import { loadDayResults } from './day-results.ts';
import { toSerpItem, type StoredSerp } from './stored-serp.ts';

export type SerpDiff = z.input<
  (typeof serp)['GET /keywords/{keywordId}/serp/diff']['responses'][200]
>;
type Moved = SerpDiff['moved'][number];

/**
 * Apps that entered, left or moved within the first positions between two days. `top` is smaller
 * than requested when one of the days has fewer results, because deeper ones cannot be compared,
 * and 0 when the results are those of two providers. `from` and `to` include positions below `top`
 * when stored. Throws not_found when a day has no stored results.
 */
export async function diffSerps(
  ctx: Ctx,
  keywordId: number,
  query: { a: UtcDay; b: UtcDay; top: number },
): Promise<SerpDiff> {
  const { a, b, listings } = await inTenant(ctx, async (tx) => {
    const keyword = await getFollowed(tx, ctx, keywordId);
    const options = { first: query.top, unknown: new Map() };
    const [before, after] = [
      await loadDayResults(tx, ctx, keyword, query.a, options),
      await loadDayResults(tx, ctx, keyword, query.b, options),
    ];
    if (!before || !after) throw notFound();
    const shown = new Map([...before.listings, ...after.listings]);
    return { a: before.serp, b: after.serp, listings: shown };
  });
  const isComparable = a.provider === b.provider;
  const top = isComparable ? Math.min(query.top, a.knownPositions, b.knownPositions) : 0;
  return { isComparable, ...compareSerps(a, b, top, listings) };
}

function compareSerps(
  a: StoredSerp,
  b: StoredSerp,
  top: number,
  listings: Map<number, SerpListing>,
): Omit<SerpDiff, 'isComparable'> {
  const [positionsA, positionsB] = [positionsOf(a), positionsOf(b)];
  const diff: Omit<SerpDiff, 'isComparable'> = {
    a: a.date,
    b: b.date,
    top,
    entered: [],
    left: [],
    moved: [],
    unchanged: 0,
  };
  for (const id of new Set([...b.listingIds.slice(0, top), ...a.listingIds.slice(0, top)])) {
    const [from, to] = [positionsA.get(id) ?? null, positionsB.get(id) ?? null];
    const listing = listings.get(id);
    if (!listing) continue;
    const isTop = { before: from !== null && from <= top, after: to !== null && to <= top };
    if (isTop.before && isTop.after && from === to) diff.unchanged += 1;
    else
      diff[isTop.before && isTop.after ? 'moved' : isTop.after ? 'entered' : 'left'].push(
        toMoved(listing, { from, to }, a, b),
      );
  }
  return diff;
}

function toMoved(
  listing: SerpListing,
  { from, to }: { from: number | null; to: number | null },
  a: StoredSerp,
  b: StoredSerp,
): Moved {
  const strength = to === null ? a.strengths[(from ?? 0) - 1] : b.strengths[to - 1];
  return { ...toSerpItem(listing, to ?? from ?? 1, strength), position: to, from, to };
}

function positionsOf(serp: StoredSerp): Map<number, number> {
  return new Map(serp.listingIds.map((id, index) => [id, index + 1]));
}
