import type { BudgetRow } from '../../db/queries/budgets.ts';
import { choreKinds, type ChoreKind, type StoreName } from '../ports.ts';

/** Requests of a known search that each store with work is asked before its day's batch. */
export const canaryRequests = 1;

/** The most that reading a market's hints takes, at the next run and then once a week; `usual_chore_requests` says the same. */
export const hintRequests = 4;

/** The most a search costs: iOS answers 200 places at once, Android 30 and then 25 with each request. 8 at depth 200. */
export function plannedRequests(store: StoreName, depth: number): number {
  return store === 'ios' ? 1 : 1 + Math.ceil(Math.max(0, depth - 30) / 25);
}

/** What a search nobody has made yet is expected to cost, by the workspace's others. */
export function expectedRequests(
  store: StoreName,
  depth: number,
  rows: readonly BudgetRow[],
): number {
  const planned = plannedRequests(store, depth);
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
  canaries: number;
  chores: Record<ChoreKind, Load>;
  requests: number;
  /** Of the requests, what the next run asks once: it does not come again. */
  firstRequests: number;
  learned: boolean;
}

/** A day at one store, all kinds of requests together. */
export function storeDay(row: BudgetRow): StoreDay {
  const canaries = row.markets + row.listings > 0 ? canaryRequests : 0;
  const [hints, firstHints] = [loadOf(row, 'hints'), loadOf(row, 'firstHints')];
  const allHints = {
    jobs: hints.jobs + firstHints.jobs,
    requests: hints.requests + firstHints.requests,
  };
  const chores = {
    reviews: loadOf(row, 'reviews'),
    page: loadOf(row, 'page'),
    chart: loadOf(row, 'chart'),
    hints: allHints,
  };
  const choreRequests = choreKinds.reduce((sum, kind) => sum + chores[kind].requests, 0);
  return {
    store: row.store,
    searches: row.markets,
    searchRequests: row.requests,
    reads: row.listings,
    readRequests: row.listingRequests,
    canaries,
    chores,
    requests: row.requests + row.listingRequests + choreRequests + canaries,
    firstRequests: firstHints.requests,
    learned: row.learned,
  };
}

/** Of an ordinary day, without what is asked once. */
const lastingRequests = (day: StoreDay): number => day.requests - day.firstRequests;

function loadOf(row: BudgetRow, kind: keyof BudgetRow['chores']): Load {
  const [jobs, requests] = row.chores[kind] ?? [0, 0];
  return { jobs, requests };
}

export interface Capacity {
  requestsPerMinute: Record<StoreName, number>;
  /** Egress addresses that can be used; each has its own pace. */
  endpoints: number;
}

export function requestsPerDay(capacity: Capacity, store: StoreName): number {
  return capacity.requestsPerMinute[store] * capacity.endpoints * 1440;
}

/** The share of the next day that the fuller store takes. */
export function utilizationOf(rows: readonly BudgetRow[], capacity: Capacity): number {
  return fullest(rows, capacity, (day) => day.requests);
}

/** The same of an ordinary day. */
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
    ...rows.map((row) => read(storeDay(row)) / requestsPerDay(capacity, row.store)),
  );
}

export const roundTo =
  (digits: number) =>
  (value: number): number =>
    Math.round(value * 10 ** digits) / 10 ** digits;
/** Shares keep six digits; small ones three that count, so that one search of however large a day still shows. */
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

/** What a change costs on every day, and what it costs besides at the next run. */
export function budgetDelta(
  before: readonly BudgetRow[],
  after: readonly BudgetRow[],
  capacity: Capacity,
): BudgetDelta {
  const sum = (rows: readonly BudgetRow[], read: (day: StoreDay) => number) =>
    rows.reduce((total, row) => total + read(storeDay(row)), 0);
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
