import type { Tx } from '#db/database.ts';
import { listSeenListings } from '#db/queries/listings/listings.ts';
import type { UtcDay } from '#lib/dates.ts';
import { cleanCard } from '#domain/tracking/listings/clean-listing.ts';
import type { SearchResponse } from '#domain/base/ports.ts';
import { loadRatingsOn } from '#domain/tracking/listings/storefront-ratings.ts';
import type { PublishedPopularity } from '#domain/tracking/popularity/load-published.ts';
import {
  genreOfResults,
  loadPublishedPhrases,
} from '#domain/tracking/popularity/load-published-phrases.ts';
import { fillUnread } from '#domain/tracking/rankings/keep-ratings.ts';
import { packStrengths, unpackStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import type { MarketQuery } from './fetch-hints.ts';
import type { MarketEvidence } from './evidence.ts';
import { readPositions } from './formulas.ts';
import type { Offered } from './hint-search.ts';
import {
  readChartPositions,
  toListingWords,
  toPopularity,
  toSerp,
  toTopApp,
} from './read-evidence.ts';
import { toWords } from './title-match.ts';

/**
 * A live response in the form that both formulas read, equal to the evidence of a daily check.
 * Stored data adds the facts of the shown apps, the country's charts and what the store publishes
 * about the phrase. `offered` is null without hints.
 */
export async function readLiveEvidence(
  tx: Tx,
  market: MarketQuery,
  { response, offered }: { response: SearchResponse; offered: Offered | null },
  asOf: UtcDay,
): Promise<{ evidence: MarketEvidence; published: PublishedPopularity | null }> {
  const { store, country, phrase } = market;
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
  const ids = [...known.values()].map(({ id }) => id);
  const ratingsOf = await loadRatingsOn(tx, ids, { country, day: asOf });
  const rated = results.map(({ storeAppId, card }) => {
    const listing = known.get(storeAppId);
    return fillUnread(card, listing ? ratingsOf(listing.id) : null);
  });
  // Rounded as stored.
  const strengths = unpackStrengths(packStrengths(rated));
  const top = results.map(({ storeAppId, card }, index) => {
    const listing = known.get(storeAppId);
    const words = toListingWords({
      name: listing?.name ?? card?.name ?? null,
      developer: card?.developer ?? null,
      releasedAt: listing?.releasedAt ?? null,
    });
    const kept = listing ? ratingsOf(listing.id) : null;
    return toTopApp(store, strengths[index], {
      listing: words,
      knownCount: rated[index]?.ratingCount ?? kept?.ratingCount ?? null,
      chartPosition: listing && chartPositions?.get(listing.id),
    });
  });
  const categoryIds = storeAppIds.map((storeAppId) => known.get(storeAppId)?.categoryId ?? null);
  const requested = { phrase, genre: genreOfResults(store, categoryIds) };
  const published = (await loadPublishedPhrases(tx, market, [requested])).get(phrase);
  const evidence = {
    store,
    country,
    phrase: toWords(phrase),
    asOf,
    serp: toSerp({ date: asOf, resultCount: response.items.length, ended: response.end }, top),
    hints: offered && { date: asOf, offered },
    chartsKnown: chartPositions !== undefined,
    ...toPopularity(published, asOf),
  };
  return { evidence, published: published ?? null };
}
