import type { Tx } from '../../db/database.ts';
import { listSeenListings } from '../../db/queries/listings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { cleanCard } from '../listings/clean-listing.ts';
import type { SearchAnswer } from '../ports.ts';
import { packStrengths, unpackStrengths } from '../rankings/pack-serp.ts';
import type { AskedMarket } from './ask-hints.ts';
import type { MarketEvidence } from './evidence.ts';
import { difficultyFormulas } from './formulas.ts';
import type { Offered } from './hint-search.ts';
import { readChartPlaces, toListingWords, toSerp, toTopApp } from './read-evidence.ts';
import { toWords } from './title-match.ts';

/**
 * What a store has just answered, as both formulas read it: the evidence that a check of the day would leave behind. Of
 * what is stored, the facts of the shown apps and the country's charts. `offered` is null where the hints did not come.
 */
export async function readLiveEvidence(
  tx: Tx,
  market: AskedMarket,
  { answer, offered }: { answer: SearchAnswer; offered: Offered | null },
  asOf: UtcDay,
): Promise<MarketEvidence> {
  const { store, country } = market;
  const cards = answer.items
    .slice(0, difficultyFormulas[store].normalisations.places)
    .map(cleanCard);
  const storeAppIds = cards.map(({ storeAppId }) => storeAppId);
  const known = new Map(
    (await listSeenListings(tx, store, country, storeAppIds)).map((listing) => [
      listing.storeAppId,
      listing,
    ]),
  );
  const charts = await readChartPlaces(tx, [market], asOf);
  const [chartPlaces] = charts.values();
  // Rounded as they are kept.
  const strengths = unpackStrengths(packStrengths(cards));
  const top = cards.map(({ storeAppId, name, developer }, index) => {
    const listing = known.get(storeAppId);
    const { ratingCount = null, releasedAt = null } = listing ?? {};
    const words = toListingWords({
      name: listing?.name ?? name,
      developer,
      ratingCount,
      releasedAt,
    });
    return toTopApp(words, strengths[index], listing && chartPlaces?.get(listing.id));
  });
  return {
    store,
    country,
    phrase: toWords(market.phrase),
    asOf,
    serp: toSerp(store, { date: asOf, resultCount: answer.items.length, ended: answer.end }, top),
    hints: offered && { date: asOf, offered },
    chartsKnown: chartPlaces !== undefined,
  };
}
