import { findMarketName, upsertHints } from '../../db/queries/scores.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { normalisePhrase } from '../keywords/phrase.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import type { StoreRequestOptions } from '../ports.ts';
import { searchHints } from './hint-search.ts';
import { scoreMarkets } from './score-markets.ts';

/** As much of a chore as this kind needs. */
interface HintsChore {
  marketId: number | null;
}

/**
 * Asks what the store offers while a market's phrase is typed, keeps it, and scores the market anew. At most four
 * questions, and as many requests but for a storefront that has to prove that it offers anything. Throws StoreError when
 * the store did not answer; then nothing is kept.
 */
export async function readHints(
  services: CheckServices,
  chore: HintsChore,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const market = chore.marketId === null ? undefined : await findMarketName(services.systemDb, chore.marketId);
  if (!market) throw new Error('a chore of hints without its market');
  const offered = await searchHints(market.phrase, async (prefix) => {
    const answer = await services.stores[market.store].hints({ prefix, country: market.country }, options);
    const index = answer.terms.findIndex((term) => normalisePhrase(term) === market.phrase);
    return index < 0 ? null : index + 1;
  });
  await upsertHints(services.systemDb, { marketId: market.id, day, offered });
  await scoreMarkets(services, [market.id], options.signal);
  return { requests: offered.length };
}
