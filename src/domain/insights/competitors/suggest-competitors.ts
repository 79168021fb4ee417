import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { loadRatingsInFirstOf } from '#domain/tracking/listings/storefront-ratings.ts';
import { presentSerpListing, readListings } from '#domain/tracking/serps/stored-serp.ts';
import { marketFilterOf, type MarketFilter } from '#domain/tracking/rankings/followed-keywords.ts';
import {
  countriesOf,
  loadLiveKeywords,
  latestSpots,
  type Spot,
} from '#domain/tracking/serps/live-keywords.ts';
import { loadStoredPositions } from '#domain/tracking/serps/stored-positions.ts';
import { positionWeight } from '../visibility/visibility-index.ts';
import { ownPosition } from './list-competitors.ts';

export type CompetitorSuggestions = z.input<
  (typeof competitors)['GET /apps/{id}/competitors/suggestions']['responses'][200]
>;

const top = 10;
const evidenceMax = 3;

interface Candidate {
  listingId: number;
  seen: { spot: Spot; position: number }[];
}

/**
 * The `limit` apps that occur most often in the first ten positions of the app's markets, by the
 * latest stored results, without the app and its competitors. Queries no store. Throws not_found.
 */
export async function suggestCompetitors(
  ctx: Ctx,
  appId: number,
  query: MarketFilter & { limit: number },
): Promise<CompetitorSuggestions> {
  return inTenant(ctx, async (tx) => {
    const { keywords } = await loadLiveKeywords(tx, ctx, appId, marketFilterOf(query));
    const spots = latestSpots(keywords, ctx.clock.now());
    const results = await loadStoredPositions(tx, spots);
    const candidates = new Map<number, Candidate>();
    for (const [number, spot] of spots.entries()) {
      for (const [index, listingId] of (results[number]?.listingIds ?? [])
        .slice(0, top)
        .entries()) {
        const candidate = candidates.get(listingId) ?? { listingId, seen: [] };
        candidate.seen.push({ spot, position: index + 1 });
        candidates.set(listingId, candidate);
      }
    }
    const listings = await readListings(tx, ctx, [...candidates.keys()], {
      appId,
      countries: countriesOf(keywords),
    });
    const others = [...candidates.values()].filter(({ listingId }) => {
      const listing = listings.get(listingId);
      return listing && !listing.isOwn && listing.competitorId === null;
    });
    const counted = results.filter((result) => result !== null).length;
    const shown = others
      .sort((a, b) => weigh(b) - weigh(a) || a.listingId - b.listingId)
      .slice(0, query.limit);
    const ratingsOf = await loadRatingsInFirstOf(
      tx,
      shown.map(({ listingId }) => listingId),
      { countries: countriesOf(keywords), day: utcDayOf(ctx.clock.now()) },
    );
    const items = shown.map((candidate) => {
      const {
        isOwn: _own,
        isCompetitor: _competitor,
        appId: trackedAppId,
        ...listing
      } = presentSerpListing(listings.get(candidate.listingId)!, ratingsOf(candidate.listingId));
      return { ...listing, trackedAppId, ...describe(candidate, counted) };
    });
    return { items, nextCursor: null, total: items.length };
  });
}

function weigh({ seen }: Candidate): number {
  return seen.reduce((sum, { position }) => sum + positionWeight(position), 0);
}

function describe({ seen }: Candidate, counted: number) {
  const isAhead = ({ spot, position }: Candidate['seen'][number]) =>
    position < (ownPosition(spot).position ?? Infinity);
  const best = seen.toSorted(
    (a, b) => a.position - b.position || a.spot.keyword.id - b.spot.keyword.id,
  );
  return {
    keywords: seen.length,
    share: Math.round((seen.length / counted) * 1e4) / 1e4,
    ahead: seen.filter(isAhead).length,
    averagePosition:
      Math.round((seen.reduce((sum, { position }) => sum + position, 0) / seen.length) * 100) / 100,
    evidence: best.slice(0, evidenceMax).map(({ spot, position }) => {
      const { id: keywordId, phrase, country, device } = spot.keyword;
      const own = ownPosition(spot);
      return { keywordId, phrase, country, device, date: spot.date, position, own };
    }),
  };
}
