import type { BudgetRow } from '../../db/queries/budgets.ts';
import { choreKinds, type ChoreKind, type StoreName } from '../ports.ts';

/** Requests of a known search that each store with work is asked before its day's batch. */
export const canaryRequests = 1;

/** The most that reading a market's hints takes, once a week; `usual_chore_requests` says the same. */
export const hintRequests = 4;

/** The most a search costs: iOS answers 200 places at once, Android 30 and then 25 with each request. 8 at depth 200. */
export function plannedRequests(store: StoreName, depth: number): number {
  return store === 'ios' ? 1 : 1 + Math.ceil(Math.max(0, depth - 30) / 25);
}

/** What a search nobody has made yet is expected to cost, by the workspace's others. */
export function expectedRequests(store: StoreName, depth: number, rows: readonly BudgetRow[]): number {
  const planned = plannedRequests(store, depth);
  const row = rows.find((candidate) => candidate.store === store);
  return row?.learned && row.markets > 0 ? Math.min(planned, row.requests / row.markets) : planned;
}

export interface StoreDay {
  store: StoreName;
  searches: number;
  searchRequests: number;
  reads: number;
  readRequests: number;
  canaries: number;
  chores: Record<ChoreKind, { jobs: number; requests: number }>;
  requests: number;
  learned: boolean;
}

/** A day at one store, all kinds of requests together. */
export function storeDay(row: BudgetRow): StoreDay {
  const canaries = row.markets + row.listings > 0 ? canaryRequests : 0;
  const chores = { reviews: loadOf(row, 'reviews'), page: loadOf(row, 'page'), chart: loadOf(row, 'chart'), hints: loadOf(row, 'hints') };
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
    learned: row.learned,
  };
}

function loadOf(row: BudgetRow, kind: ChoreKind): { jobs: number; requests: number } {
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

/** The share of a day that the fuller store takes. */
export function utilizationOf(rows: readonly BudgetRow[], capacity: Capacity): number {
  return Math.max(0, ...rows.map((row) => storeDay(row).requests / requestsPerDay(capacity, row.store)));
}

export const roundTo =
  (digits: number) =>
  (value: number): number =>
    Math.round(value * 10 ** digits) / 10 ** digits;
/** Shares keep six digits, so that one iOS search of a day's 21,600 still shows. */
export const roundShare = roundTo(6);
export const roundRequests = roundTo(2);

export interface BudgetDelta {
  searchesPerDay: number;
  requestsPerDay: number;
  utilizationBefore: number;
  utilizationAfter: number;
}

export function budgetDelta(before: readonly BudgetRow[], after: readonly BudgetRow[], capacity: Capacity): BudgetDelta {
  const sum = (rows: readonly BudgetRow[], read: (day: StoreDay) => number) => rows.reduce((total, row) => total + read(storeDay(row)), 0);
  return {
    searchesPerDay: sum(after, (day) => day.searches) - sum(before, (day) => day.searches),
    requestsPerDay: roundRequests(sum(after, (day) => day.requests) - sum(before, (day) => day.requests)),
    utilizationBefore: roundShare(utilizationOf(before, capacity)),
    utilizationAfter: roundShare(utilizationOf(after, capacity)),
  };
}
