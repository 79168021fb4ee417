import { findMarketName, upsertHints } from '#db/queries/scores/scores.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { requireInTime } from '#domain/tracking/rankings/require-in-time.ts';
import type { StoreRequestOptions } from '#domain/base/ports.ts';
import { fetchHints } from './fetch-hints.ts';
import { scoreMarkets } from './score-markets.ts';

/** The part of a store task that this kind needs. */
interface HintsTask {
  marketId: number | null;
}

/**
 * Fetches a market's hints, stores them, and scores the market again. Throws StoreError when the
 * store did not respond; nothing is stored then.
 */
export async function readHints(
  services: CheckServices,
  task: HintsTask,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const market =
    task.marketId === null ? undefined : await findMarketName(services.systemDb, task.marketId);
  if (!market) throw new Error('a hints task without its market');
  const offered = await fetchHints(services.stores, market, options);
  requireInTime(market.store, day, services.clock.now());
  await upsertHints(services.systemDb, { marketId: market.id, day, offered });
  await scoreMarkets(services, [market.id], options.signal);
  return { requests: offered.length };
}
