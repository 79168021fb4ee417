import type { BudgetRow } from '#db/queries/budget/budgets.ts';
import {
  searchHostOf,
  searchRequests,
  storeTaskKinds,
  taskHostOf,
  type StoreName,
  type StoreTaskKind,
} from '../ports.ts';

/** The expected cost of a search that never ran, by the average of the workspace's others. */
export function expectedRequests(
  store: StoreName,
  depth: number,
  rows: readonly BudgetRow[],
): number {
  const planned = searchRequests(store, depth);
  const row = rows.find((candidate) => candidate.store === store);
  return row?.learned && row.markets > 0 ? Math.min(planned, row.requests / row.markets) : planned;
}

interface Load {
  jobs: number;
  requests: number;
}

export interface StoreDay {
  store: StoreName;
  searches: number;
  searchRequests: number;
  reads: number;
  readRequests: number;
  probes: number;
  storeTasks: Record<StoreTaskKind, Load>;
  requests: number;
  /** The part of the requests that goes to hosts with a pace of their own, by host. */
  hostRequests: ReadonlyMap<string, number>;
  /** The part of the requests that the next run makes once. */
  firstRequests: number;
  learned: boolean;
}

/** A day at one store, all kinds of requests together. */
export function storeDay({ providers }: Pick<Capacity, 'providers'>, row: BudgetRow): StoreDay {
  // Before the day's batch each provider of a store with work is probed.
  const probed = row.markets + row.listings > 0 ? providers[row.store] : [];
  const probes = probed.length;
  const [hints, firstHints] = [loadOf(row, 'hints'), loadOf(row, 'firstHints')];
  const allHints = {
    jobs: hints.jobs + firstHints.jobs,
    requests: hints.requests + firstHints.requests,
  };
  const storeTasks = {
    reviews: loadOf(row, 'reviews'),
    page: loadOf(row, 'page'),
    chart: loadOf(row, 'chart'),
    hints: allHints,
  };
  const storeTaskRequests = storeTaskKinds.reduce(
    (sum, kind) => sum + storeTasks[kind].requests,
    0,
  );
  return {
    store: row.store,
    searches: row.markets,
    searchRequests: row.requests,
    reads: row.listings,
    readRequests: row.listingRequests,
    probes,
    storeTasks,
    requests: row.requests + row.listingRequests + storeTaskRequests + probes,
    // The few look-ups of names among the requests of searches count as searches.
    hostRequests: sumByHost([
      [searchHostOf(row.store, providers[row.store][0]), row.requests],
      ...probed.map((provider) => [searchHostOf(row.store, provider), 1] as const),
      ...storeTaskKinds.map(
        (kind) => [taskHostOf(row.store, kind), storeTasks[kind].requests] as const,
      ),
    ]),
    firstRequests: firstHints.requests,
    learned: row.learned,
  };
}

function sumByHost(
  parts: readonly (readonly [host: string | undefined, requests: number])[],
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [host, requests] of parts)
    if (host !== undefined) sums.set(host, (sums.get(host) ?? 0) + requests);
  return sums;
}

/** An ordinary day, without one-time requests. */
const lastingRequests = (day: StoreDay): number => day.requests - day.firstRequests;

function loadOf(row: BudgetRow, kind: keyof BudgetRow['storeTasks']): Load {
  const [jobs, requests] = row.storeTasks[kind] ?? [0, 0];
  return { jobs, requests };
}

interface Paces {
  requestsPerMinute: Readonly<Record<StoreName, number>>;
  /** The pace of each host that has its own, by host. */
  hostRequestsPerMinute: Readonly<Record<string, number>>;
}

export interface Capacity extends Paces {
  /** Usable egress addresses; each has its own pace. */
  endpoints: number;
  /** The search providers of each store; the first one is searched every day. */
  providers: Readonly<Record<StoreName, readonly string[]>>;
}

/** The requests at the store's own pace that take as long as one to the host. */
export function weightOf(paces: Paces, store: StoreName, host: string | undefined): number {
  if (host === undefined) return 1;
  return paces.requestsPerMinute[store] / paces.hostRequestsPerMinute[host]!;
}

/**
 * The requests at the store's own pace that take as long as the day. Its kinds of work run one
 * after another, so the times of the hosts add up.
 */
function weigh(paces: Paces, day: StoreDay): number {
  return [...day.hostRequests].reduce(
    (sum, [host, requests]) => sum + requests * (weightOf(paces, day.store, host) - 1),
    day.requests,
  );
}

/** The requests at the store's own pace that fit into 24 hours. */
const dayAtOwnPace = (capacity: Capacity, store: StoreName): number =>
  capacity.requestsPerMinute[store] * capacity.endpoints * 1440;

/** The requests that fit into 24 hours, in the day's mix of hosts. */
export function requestsPerDay(capacity: Capacity, day: StoreDay): number {
  const share = day.requests > 0 ? day.requests / weigh(capacity, day) : 1;
  return dayAtOwnPace(capacity, day.store) * share;
}

/** The share of 24 hours that the day takes. */
export const shareOf = (capacity: Capacity, day: StoreDay): number =>
  weigh(capacity, day) / dayAtOwnPace(capacity, day.store);

/** The share that an ordinary day takes, without one-time requests. */
function lastingShareOf(capacity: Capacity, day: StoreDay): number {
  const first = day.firstRequests * weightOf(capacity, day.store, taskHostOf(day.store, 'hints'));
  return (weigh(capacity, day) - first) / dayAtOwnPace(capacity, day.store);
}

/** The share of the next day at the busier store. */
export function utilizationOf(rows: readonly BudgetRow[], capacity: Capacity): number {
  return fullest(rows, capacity, shareOf);
}

/** The share of an ordinary day at the busier store. */
function lastingUtilizationOf(rows: readonly BudgetRow[], capacity: Capacity): number {
  return fullest(rows, capacity, lastingShareOf);
}

function fullest(
  rows: readonly BudgetRow[],
  capacity: Capacity,
  read: (capacity: Capacity, day: StoreDay) => number,
): number {
  return Math.max(0, ...rows.map((row) => read(capacity, storeDay(capacity, row))));
}

export const roundTo =
  (digits: number) =>
  (value: number): number =>
    Math.round(value * 10 ** digits) / 10 ** digits;
/**
 * Shares have six digits, and small ones three significant digits, so that one search of a large
 * day still shows.
 */
export const roundShare = (value: number): number =>
  Math.abs(value) < 0.001 ? Number(roundTo(12)(value).toPrecision(3)) : roundTo(6)(value);
export const roundRequests = roundTo(2);

export interface BudgetDelta {
  searchesPerDay: number;
  requestsPerDay: number;
  firstRunRequests: number;
  utilizationBefore: number;
  utilizationAfter: number;
}

/** The daily cost of a change, and its one-time cost at the next run. */
export function budgetDelta(
  before: readonly BudgetRow[],
  after: readonly BudgetRow[],
  capacity: Capacity,
): BudgetDelta {
  const sum = (rows: readonly BudgetRow[], read: (day: StoreDay) => number) =>
    rows.reduce((total, row) => total + read(storeDay(capacity, row)), 0);
  return {
    searchesPerDay: sum(after, (day) => day.searches) - sum(before, (day) => day.searches),
    requestsPerDay: roundRequests(sum(after, lastingRequests) - sum(before, lastingRequests)),
    firstRunRequests: roundRequests(
      sum(after, (day) => day.firstRequests) - sum(before, (day) => day.firstRequests),
    ),
    utilizationBefore: roundShare(lastingUtilizationOf(before, capacity)),
    utilizationAfter: roundShare(lastingUtilizationOf(after, capacity)),
  };
}
