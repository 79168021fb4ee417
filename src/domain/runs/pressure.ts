import type { Remaining } from '../../db/queries/schedule.ts';
import type { StoreName } from '../../lib/store-name.ts';
import type { ChoreKind } from '../ports.ts';

/** What a day can do without: app refreshes and every kind of chore. Rank checks are not in this list. */
export type ShedKind = ChoreKind | 'refresh';

export interface StorePressure {
  store: StoreName;
  /** (backlog + today's demand) / what the rest of the day can ask, in requests. */
  pressure: number;
  shed: ShedKind[];
}

/** In requests. */
export interface DayLoad {
  backlogRequests: number;
  demand: Pick<Remaining, 'marketRequests' | 'listingRequests'> & {
    chores: Record<ChoreKind, number>;
  };
  capacityRequests: number;
}

/** Given up together, the first first: what comes after stays while all that is left fits into the day. */
const rounds: readonly (readonly ShedKind[])[] = [
  ['hints'],
  ['reviews', 'page', 'chart'],
  ['refresh'],
];

/** What must go when a day is not long enough: hints, then reviews, pages and charts, then refreshes. Rank checks are never shed. */
export function measurePressure(
  store: StoreName,
  { backlogRequests, demand, capacityRequests }: DayLoad,
): StorePressure {
  const loads: Record<ShedKind, number> = { ...demand.chores, refresh: demand.listingRequests };
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
