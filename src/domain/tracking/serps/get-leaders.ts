import type { z } from 'zod';
import type { serp } from '#contract/serp.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { loadRatingsInFirstOf } from '../listings/storefront-ratings.ts';
import { marketFilterOf, type MarketFilter } from '../rankings/followed-keywords.ts';
import { countriesOf, loadLiveKeywords, latestSpots } from './live-keywords.ts';
import { loadStoredPositions, type StoredPositions } from './stored-positions.ts';
import { presentSerpListing, readListings } from './stored-serp.ts';

export type Leaders = z.input<(typeof serp)['GET /apps/{id}/serp/leaders']['responses'][200]>;

export interface ListingPositions {
  listingId: number;
  /** Positions within the first `top`, one for each result that contains it. */
  positions: number[];
}

/**
 * The first `limit` apps in the first positions of an app's markets, by the latest stored results
 * of each. Throws not_found.
 */
export async function getLeaders(
  ctx: Ctx,
  appId: number,
  query: MarketFilter & { top: number; limit: number },
): Promise<Leaders> {
  return inTenant(ctx, async (tx) => {
    const { keywords } = await loadLiveKeywords(tx, ctx, appId, marketFilterOf(query));
    const results = (await loadStoredPositions(tx, latestSpots(keywords, ctx.clock.now()))).filter(
      (result) => result !== null,
    );
    const shown = rankLeaders(results, query.top).slice(0, query.limit);
    const ids = shown.map((current) => current.listingId);
    const countries = countriesOf(keywords);
    const listings = await readListings(tx, ctx, ids, { appId, countries });
    const day = utcDayOf(ctx.clock.now());
    const ratingsOf = await loadRatingsInFirstOf(tx, ids, { countries, day });
    const items = shown.flatMap(({ listingId, positions }) => {
      const listing = listings.get(listingId);
      return listing
        ? [
            {
              ...presentSerpListing(listing, ratingsOf(listingId)),
              competitorId: listing.competitorId,
              ...measure(positions, results.length),
            },
          ]
        : [];
    });
    const shallow = results.filter((result) => result.knownPositions < query.top).length;
    return {
      country: query.country ?? null,
      device: query.device ?? null,
      top: query.top,
      serps: results.length,
      shallow,
      items,
      nextCursor: null,
      total: items.length,
    };
  });
}

/**
 * Every listing within the first `top` positions of some result; most frequent first, then by
 * position.
 */
function rankLeaders(results: readonly StoredPositions[], top: number): ListingPositions[] {
  const ofListing = new Map<number, number[]>();
  for (const { listingIds } of results) {
    for (const [index, listingId] of listingIds.slice(0, top).entries()) {
      const positions = ofListing.get(listingId);
      if (positions) positions.push(index + 1);
      else ofListing.set(listingId, [index + 1]);
    }
  }
  return [...ofListing]
    .map(([listingId, positions]) => ({ listingId, positions }))
    .sort(
      (a, b) =>
        b.positions.length - a.positions.length ||
        average(a.positions) - average(b.positions) ||
        a.listingId - b.listingId,
    );
}

function measure(positions: readonly number[], serps: number) {
  return {
    keywords: positions.length,
    share: Math.round((positions.length / serps) * 1e4) / 1e4,
    averagePosition: Math.round(average(positions) * 100) / 100,
    best: Math.min(...positions),
  };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
