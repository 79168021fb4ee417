import type { z } from 'zod';
import type { serp } from '#contract/serp.ts';
import type { SerpListing } from '#db/queries/serps/serps.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getFollowed } from '../rankings/followed-keywords.ts';
import { loadDayResults } from './day-results.ts';
import { loadResultRatings, toSerpItem, type StoredSerp } from './stored-serp.ts';

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
  const compared = await inTenant(ctx, async (tx) => {
    const keyword = await getFollowed(tx, ctx, keywordId);
    const options = { first: query.top, unknown: new Map() };
    const [before, after] = [
      await loadDayResults(tx, ctx, keyword, query.a, options),
      await loadDayResults(tx, ctx, keyword, query.b, options),
    ];
    if (!before || !after) throw notFound();
    const listings = new Map([...before.listings, ...after.listings]);
    const ids = [...listings.keys()];
    const load = (serp: StoredSerp) => loadResultRatings(tx, serp, ids, keyword.country);
    return {
      a: before.serp,
      b: after.serp,
      listings,
      ratings: { a: await load(before.serp), b: await load(after.serp) },
    };
  });
  const { a, b } = compared;
  const isComparable = a.provider === b.provider;
  const top = isComparable ? Math.min(query.top, a.knownPositions, b.knownPositions) : 0;
  return { isComparable, ...compareSerps(compared, top) };
}

type RatingsOf = Awaited<ReturnType<typeof loadResultRatings>>;

interface Compared {
  a: StoredSerp;
  b: StoredSerp;
  listings: Map<number, SerpListing>;
  ratings: { a: RatingsOf; b: RatingsOf };
}

function compareSerps(
  { a, b, listings, ratings }: Compared,
  top: number,
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
        toMoved(listing, { from, to }, ratings),
      );
  }
  return diff;
}

function toMoved(
  listing: SerpListing,
  { from, to }: { from: number | null; to: number | null },
  ratings: Compared['ratings'],
): Moved {
  const position = to ?? from ?? 1;
  const shown = (to === null ? ratings.a : ratings.b)(listing.id, position);
  return { ...toSerpItem(listing, position, shown), position: to, from, to };
}

function positionsOf(serp: StoredSerp): Map<number, number> {
  return new Map(serp.listingIds.map((id, index) => [id, index + 1]));
}
