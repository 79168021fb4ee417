import type { z } from 'zod';
import type { budget } from '#contract/jobs.ts';
import type { Db, Tx } from '#db/database.ts';
import { getPlan, listBudgetRows, type BudgetRow } from '#db/queries/budget/budgets.ts';
import { countUnavailableEndpoints } from '#db/queries/pacing/endpoint-health.ts';
import { findRunBefore } from '#db/queries/runs/runs.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx, type DomainSettings } from '../context.ts';
import { storeNames } from '../ports.ts';
import {
  requestsPerDay,
  roundRequests,
  roundShare,
  roundTo,
  shareOf,
  storeDay,
  utilizationOf,
  type Capacity,
} from './cost.ts';
import { isGracePeriodOver } from '../plans/over-limit.ts';
import { planOf } from '../plans/plans.ts';
import { nextOpeningMs } from './run-opening.ts';

export type Budget = z.input<typeof budget>;

const msPerHour = 3_600_000;

/**
 * The cost of this workspace's day in store requests, against capacity. Reads a few rows, however
 * many keywords are tracked.
 */
export function getBudget(ctx: Ctx): Promise<Budget> {
  return inTenant(ctx, async (tx) =>
    describeBudget(await listBudgets(tx, ctx.workspaceId), {
      capacity: await readCapacity(tx, ctx.settings),
      startsAt: await findNextOpening(tx, ctx),
      quota: await readQuota(tx, ctx),
    }),
  );
}

/** One row per store, even for a workspace that tracks nothing yet. */
export async function listBudgets(tx: Tx, workspaceId: number): Promise<BudgetRow[]> {
  const rows = await listBudgetRows(tx, workspaceId);
  return storeNames.map((store) => rows.find((row) => row.store === store) ?? nothing(store));
}

/** Endpoints that any process found unavailable do not count. */
export async function readCapacity(db: Db | Tx, settings: DomainSettings): Promise<Capacity> {
  const own = settings.endpoints();
  const names = settings
    .egress()
    .flatMap((endpoint) => (endpoint.unavailableUntil === null ? [endpoint.name] : []));
  // One endpoint is used even while it fails.
  const unavailable = own > 1 ? await countUnavailableEndpoints(db, names) : 0;
  return {
    requestsPerMinute: settings.requestsPerMinute,
    hostRequestsPerMinute: settings.hostRequestsPerMinute,
    endpoints: Math.max(1, own - unavailable),
    providers: settings.searchProviders,
  };
}

/** When the instance's next run opens, as the scheduler plans it. */
export async function findNextOpening(
  db: Db | Tx,
  { clock, settings }: Pick<Ctx, 'clock' | 'settings'>,
): Promise<Date> {
  const now = clock.now();
  const newest = await findRunBefore(db, addDays(utcDayOf(now), 1));
  return new Date(nextOpeningMs(now, settings.dailyRunAtMinutes, newest));
}

/** The response of GET /jobs/budget for stored or simulated rows. */
export function describeBudget(
  rows: BudgetRow[],
  { capacity, startsAt, quota }: { capacity: Capacity; startsAt: Date; quota?: Budget['quota'] },
): Budget {
  const utilization = utilizationOf(rows, capacity);
  const hours = utilization * 24;
  return {
    fanOut: rows.map((row) => describeStore(row, capacity)),
    utilization: roundShare(utilization),
    completion: {
      startsAt: startsAt.toISOString(),
      hours: roundTo(4)(hours),
      completesAt: new Date(startsAt.getTime() + Math.round(hours * msPerHour)).toISOString(),
    },
    ...(quota ? { quota } : {}),
  };
}

function describeStore(row: BudgetRow, capacity: Capacity): Budget['fanOut'][number] {
  const day = storeDay(capacity, row);
  return {
    store: row.store,
    kinds: {
      rankChecks: { jobs: day.searches, requests: roundRequests(day.searchRequests) },
      appRefreshes: { jobs: day.reads, requests: roundRequests(day.readRequests) },
      probes: { jobs: day.probes, requests: day.probes },
      reviews: roundLoad(day.storeTasks.reviews),
      charts: roundLoad(day.storeTasks.chart),
      pages: roundLoad(day.storeTasks.page),
      hints: roundLoad(day.storeTasks.hints),
    },
    requests: roundRequests(day.requests),
    capacity: {
      requestsPerMinute: capacity.requestsPerMinute[row.store],
      hosts: [...day.hostRequests.keys()].map((host) => ({
        host,
        requestsPerMinute: capacity.hostRequestsPerMinute[host]!,
      })),
      endpoints: capacity.endpoints,
      requestsPerDay: requestsPerDay(capacity, day),
    },
    utilization: roundShare(shareOf(capacity, day)),
    learned: day.learned,
  };
}

/** Work that is not daily counts as its share of a day. */
function roundLoad(load: { jobs: number; requests: number }): { jobs: number; requests: number } {
  return { jobs: Math.round(load.jobs), requests: roundRequests(load.requests) };
}

async function readQuota(tx: Tx, ctx: Ctx): Promise<Budget['quota']> {
  if (!ctx.settings.billingEnabled) return undefined;
  const { plan, apps, heldMarkets, overLimitSince } = await getPlan(tx, ctx.workspaceId);
  const limits = planOf(plan);
  const rows = await listBudgets(tx, ctx.workspaceId);
  const markets = rows.reduce((sum, row) => sum + row.markets, heldMarkets);
  return {
    plan: limits.name,
    apps: { used: apps, limit: limits.apps },
    keywordMarkets: { used: markets, limit: limits.keywordMarkets },
    overLimitSince: isGracePeriodOver({ overLimitSince }, ctx.clock.now())
      ? overLimitSince!.toISOString()
      : null,
  };
}

function nothing(store: BudgetRow['store']): BudgetRow {
  return {
    store,
    markets: 0,
    requests: 0,
    learned: false,
    listings: 0,
    listingRequests: 0,
    storeTasks: {},
  };
}
