import type { Remaining } from '#db/queries/due-counts/due-counts.ts';
import type { StoreName } from '#stores/profiles.ts';
import type { StoreTaskKind } from '#domain/base/ports.ts';

/** Work that can be shed: app refreshes and all kinds of store tasks, but never rank checks. */
export type ShedKind = StoreTaskKind | 'refresh';

export interface StorePressure {
  store: StoreName;
  /** (backlog + today's demand) / capacity of the rest of the day. */
  pressure: number;
  shed: ShedKind[];
}

/** In requests at the store's own pace: one to a host with another pace counts for its time. */
export interface DayLoad {
  backlogRequests: number;
  demand: Pick<Remaining, 'marketRequests' | 'listingRequests'> & {
    storeTasks: Record<StoreTaskKind, number>;
  };
  capacityRequests: number;
}

/** Kinds that are shed together, in this order, until the rest fits into the day. */
const rounds: readonly (readonly ShedKind[])[] = [
  ['hints'],
  ['reviews', 'page', 'chart'],
  ['refresh'],
];

/**
 * The order of shedding when a day is too short: hints, then reviews, pages and charts, then
 * refreshes. Rank checks are never shed.
 */
export function measurePressure(
  store: StoreName,
  { backlogRequests, demand, capacityRequests }: DayLoad,
): StorePressure {
  const loads: Record<ShedKind, number> = { ...demand.storeTasks, refresh: demand.listingRequests };
  const total = Object.values(loads).reduce(
    (sum, load) => sum + load,
    backlogRequests + demand.marketRequests,
  );
  const shed: ShedKind[] = [];
  let left = total;
  for (const kinds of rounds) {
    if (left <= capacityRequests) break;
    for (const kind of kinds.filter((candidate) => loads[candidate] > 0)) {
      shed.push(kind);
      left -= loads[kind];
    }
  }
  return { store, pressure: total === 0 ? 0 : total / capacityRequests, shed };
}
