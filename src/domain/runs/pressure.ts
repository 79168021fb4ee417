import type { Remaining } from '../../db/queries/schedule.ts';
import type { StoreName } from '../../lib/store-name.ts';

export interface StorePressure {
  store: StoreName;
  /** (backlog + today's demand) / capacity, in requests. */
  pressure: number;
  shedsRefreshes: boolean;
}

/**
 * What must go when a day is not long enough. Rank checks are never shed: refreshes go while everything together
 * does not fit. Category ranks and review sync, when there are any, go before them.
 */
export function measurePressure(
  store: StoreName,
  input: { backlogRequests: number; demand: Pick<Remaining, 'marketRequests' | 'listings'>; requestsPerDay: number },
): StorePressure {
  const refreshRequests = store === 'ios' ? Math.ceil(input.demand.listings / 200) : input.demand.listings;
  const total = input.backlogRequests + input.demand.marketRequests + refreshRequests;
  const pressure = total === 0 ? 0 : total / input.requestsPerDay;
  return { store, pressure, shedsRefreshes: pressure > 1 && input.demand.listings > 0 };
}
