import type { z } from 'zod';
import type { serp } from '../../contract/serp.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readJudgedKeywords, standingSpots } from './judged-keywords.ts';
import { readKeptPlaces, type KeptPlaces } from './kept-places.ts';
import { presentSerpListing, readListings } from './kept-serp.ts';

export type Leaders = z.input<(typeof serp)['GET /apps/{id}/serp/leaders']['responses'][200]>;

export interface Standing {
  listingId: number;
  /** Places within the first `top`, one for each answer it stands in. */
  positions: number[];
}

/** Who holds the first places of an app's markets, by the newest kept answer of each. Throws not_found. */
export async function readLeaders(
  ctx: Ctx,
  appId: number,
  query: { country?: string | undefined; top: number; limit: number },
): Promise<Leaders> {
  return inTenant(ctx, async (tx) => {
    const { keywords } = await readJudgedKeywords(tx, ctx, appId, { country: query.country });
    const answers = (await readKeptPlaces(tx, standingSpots(keywords, ctx.clock.now()))).filter(
      (places) => places !== null,
    );
    const standings = rankStandings(answers, query.top);
    const shown = standings.slice(0, query.limit);
    const ids = shown.map((standing) => standing.listingId);
    const listings = await readListings(tx, ctx, ids, appId);
    const items = shown.flatMap(({ listingId, positions }) => {
      const listing = listings.get(listingId);
      return listing
        ? [
            {
              ...presentSerpListing(listing),
              competitorId: listing.competitorId,
              ...measure(positions, answers.length),
            },
          ]
        : [];
    });
    const shallow = answers.filter((places) => places.knownPlaces < query.top).length;
    return {
      country: query.country ?? null,
      top: query.top,
      serps: answers.length,
      shallow,
      items,
      nextCursor: null,
      total: standings.length,
    };
  });
}

/** Every listing within the first `top` places of some answer; those in most answers first, then those that stand higher. */
export function rankStandings(answers: readonly KeptPlaces[], top: number): Standing[] {
  const ofListing = new Map<number, number[]>();
  for (const { listingIds } of answers) {
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
