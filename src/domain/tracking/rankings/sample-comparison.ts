import { hash } from 'node:crypto';
import { insertComparison } from '#db/queries/rankings/provider-comparisons.ts';
import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import type { Services } from '#domain/base/context.ts';
import { StoreError, type SearchResponse, type StoreRequestOptions } from '#domain/base/ports.ts';
import { daysBetween, type UtcDay } from '#lib/dates.ts';
import { measureDistance } from './order-distance.ts';

const firstMonday = '2001-01-01';

/** True on one day of a week for a share of the markets, other ones each week. */
export function isSampled(marketId: number, day: UtcDay, percent: number): boolean {
  const days = daysBetween(firstMonday, day);
  const week = Math.floor(days / 7);
  const drawn = hash('sha1', `${marketId} ${week}`, 'buffer');
  return drawn.readUInt32BE(0) % 10_000 < percent * 100 && drawn.readUInt32BE(4) % 7 === days % 7;
}

/**
 * Searches a sampled market with another provider too, and keeps how far the two orders are apart.
 * A failure costs the sample only.
 */
export async function sampleComparison(
  { stores, systemDb, log }: Services,
  { market, day, other }: { market: MarketToCheck; day: UtcDay; other: string },
  response: SearchResponse,
  options: StoreRequestOptions,
): Promise<void> {
  const { id: marketId, store, phrase, country, device, depth } = market;
  const query = { provider: other, phrase, country, device, depth };
  try {
    const second = await stores[store].search(query, options);
    const idsOf = ({ items }: SearchResponse) => items.map(({ storeAppId }) => storeAppId);
    const distance = measureDistance(idsOf(response), idsOf(second));
    await insertComparison(systemDb, {
      marketId,
      store,
      day,
      a: response.provider,
      b: other,
      ...distance,
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.info({ store, market: marketId, provider: other, marker: error.marker }, 'no comparison');
  }
}
