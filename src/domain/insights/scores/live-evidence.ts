import type { Tx } from '#db/database.ts';
import { listSeenListings } from '#db/queries/listings/listings.ts';
import type { UtcDay } from '#lib/dates.ts';
import { cleanCard } from '#domain/tracking/listings/clean-listing.ts';
import type { SearchResponse } from '#domain/base/ports.ts';
import { packStrengths, unpackStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import type { MarketQuery } from './fetch-hints.ts';
import type { MarketEvidence } from './evidence.ts';
import { readPositions } from './formulas.ts';
import type { Offered } from './hint-search.ts';
import { readChartPositions, toListingWords, toSerp, toTopApp } from './read-evidence.ts';
import { toWords } from './title-match.ts';

/**
 * A live response in the form that both formulas read, equal to the evidence of a daily check.
 * Stored data adds the facts of the shown apps and the country's charts. `offered` is null without
 * hints.
 */
export async function readLiveEvidence(
  tx: Tx,
  market: MarketQuery,
  { response, offered }: { response: SearchResponse; offered: Offered | null },
  asOf: UtcDay,
): Promise<MarketEvidence> {
  const { store, country } = market;
  const results = response.items
    .slice(0, readPositions)
    .map(({ storeAppId, card }) => ({ storeAppId, card: card && cleanCard(card) }));
  const storeAppIds = results.map(({ storeAppId }) => storeAppId);
  const known = new Map(
    (await listSeenListings(tx, store, country, storeAppIds)).map((listing) => [
      listing.storeAppId,
      listing,
    ]),
  );
  const charts = await readChartPositions(tx, [market], asOf);
  const [chartPositions] = charts.values();
  // Rounded as stored.
  const strengths = unpackStrengths(packStrengths(results.map(({ card }) => card)));
  const top = results.map(({ storeAppId, card }, index) => {
    const listing = known.get(storeAppId);
    const ratingCount = listing?.ratingCount ?? card?.ratingCount ?? null;
    const releasedAt = listing?.releasedAt ?? null;
    const words = toListingWords({
      name: listing?.name ?? card?.name ?? null,
      developer: card?.developer ?? null,
      ratingCount,
      releasedAt,
    });
    return toTopApp(words, strengths[index], listing && chartPositions?.get(listing.id));
  });
  return {
    store,
    country,
    phrase: toWords(market.phrase),
    asOf,
    serp: toSerp({ date: asOf, resultCount: response.items.length, ended: response.end }, top),
    hints: offered && { date: asOf, offered },
    chartsKnown: chartPositions !== undefined,
    popularity: null,
    popularityBound: null,
  };
}
