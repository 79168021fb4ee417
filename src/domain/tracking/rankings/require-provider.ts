import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import { StoreError, type SearchResponse } from '#domain/base/ports.ts';

/**
 * The positions of a day are those of one provider, whose order differs from any other's. Throws
 * StoreError `unreadable` for the results of another one.
 */
export function requireProvider(
  market: Pick<MarketToCheck, 'store' | 'provider'>,
  response: Pick<SearchResponse, 'provider'>,
): void {
  if (response.provider === market.provider) return;
  throw new StoreError({
    store: market.store,
    failure: 'unreadable',
    marker: 'other-provider',
    message: `positions are those of ${market.provider}, and ${response.provider} responded`,
  });
}
