import { findMarketName, upsertHints } from '../../db/queries/scores.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import type { StoreRequestOptions } from '../ports.ts';
import { askHints } from './ask-hints.ts';
import { scoreMarkets } from './score-markets.ts';

/** As much of a chore as this kind needs. */
interface HintsChore {
  marketId: number | null;
}

/**
 * Asks what the store offers while a market's phrase is typed, keeps it, and scores the market anew. Throws StoreError
 * when the store did not answer; then nothing is kept.
 */
export async function readHints(
  services: CheckServices,
  chore: HintsChore,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const market =
    chore.marketId === null ? undefined : await findMarketName(services.systemDb, chore.marketId);
  if (!market) throw new Error('a chore of hints without its market');
  const offered = await askHints(services.stores, market, options);
  await upsertHints(services.systemDb, { marketId: market.id, day, offered });
  await scoreMarkets(services, [market.id], options.signal);
  return { requests: offered.length };
}
