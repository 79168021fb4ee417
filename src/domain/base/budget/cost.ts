import type { BudgetRow } from '#db/queries/budget/budgets.ts';
import { searchRequests, storeTaskKinds, type StoreTaskKind, type StoreName } from '../ports.ts';

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
  /** The part of the requests that the next run makes once. */
  firstRequests: number;
  learned: boolean;
}

/** A day at one store, all kinds of requests together. */
export function storeDay({ providers }: Pick<Capacity, 'providers'>, row: BudgetRow): StoreDay {
  // Before the day's batch each provider of a store with work is probed.
  const probes = row.markets + row.listings > 0 ? providers[row.store].length : 0;
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
    firstRequests: firstHints.requests,
    learned: row.learned,
  };
}

/** An ordinary day, without one-time requests. */
const lastingRequests = (day: StoreDay): number => day.requests - day.firstRequests;

function loadOf(row: BudgetRow, kind: keyof BudgetRow['storeTasks']): Load {
  const [jobs, requests] = row.storeTasks[kind] ?? [0, 0];
  return { jobs, requests };
}

export interface Capacity {
  requestsPerMinute: Record<StoreName, number>;
  /** Usable egress addresses; each has its own pace. */
  endpoints: number;
  /** The search providers of each store; the first one is searched every day. */
  providers: Readonly<Record<StoreName, readonly string[]>>;
}

export function requestsPerDay(capacity: Capacity, store: StoreName): number {
  return capacity.requestsPerMinute[store] * capacity.endpoints * 1440;
}

/** The share of the next day at the busier store. */
export function utilizationOf(rows: readonly BudgetRow[], capacity: Capacity): number {
  return fullest(rows, capacity, (day) => day.requests);
}

/** The share of an ordinary day, without one-time work, at the busier store. */
function lastingUtilizationOf(rows: readonly BudgetRow[], capacity: Capacity): number {
  return fullest(rows, capacity, lastingRequests);
}

function fullest(
  rows: readonly BudgetRow[],
  capacity: Capacity,
  read: (day: StoreDay) => number,
): number {
  return Math.max(
    0,
    ...rows.map((row) => read(storeDay(capacity, row)) / requestsPerDay(capacity, row.store)),
  );
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
