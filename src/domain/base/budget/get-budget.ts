import type { z } from 'zod';
import type { budget } from '#contract/jobs.ts';
import type { Tx } from '#db/database.ts';
import { getPlan, listBudgetRows, type BudgetRow } from '#db/queries/budget/budgets.ts';
import { startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx, type DomainSettings } from '../context.ts';
import { storeNames } from '../ports.ts';
import {
  requestsPerDay,
  roundRequests,
  roundShare,
  roundTo,
  storeDay,
  utilizationOf,
  type Capacity,
} from './cost.ts';
import { isGracePeriodOver } from '../plans/over-limit.ts';
import { planOf } from '../plans/plans.ts';
import { msPerDay, openingMs } from './run-opening.ts';

export type Budget = z.input<typeof budget>;

const msPerHour = 3_600_000;

/**
 * The cost of this workspace's day in store requests, against capacity. Reads two rows, however
 * many keywords are tracked.
 */
export function getBudget(ctx: Ctx): Promise<Budget> {
  return inTenant(ctx, async (tx) =>
    describeBudget(
      ctx,
      await listBudgets(tx, ctx.workspaceId),
      capacityOf(ctx.settings),
      await readQuota(tx, ctx),
    ),
  );
}

/** One row per store, even for a workspace that tracks nothing yet. */
export async function listBudgets(tx: Tx, workspaceId: number): Promise<BudgetRow[]> {
  const rows = await listBudgetRows(tx, workspaceId);
  return storeNames.map((store) => rows.find((row) => row.store === store) ?? nothing(store));
}

export function capacityOf(settings: DomainSettings): Capacity {
  return {
    requestsPerMinute: settings.requestsPerMinute,
    endpoints: Math.max(1, settings.endpoints()),
    providers: settings.searchProviders,
  };
}

/** The response of GET /jobs/budget for stored or simulated rows. */
export function describeBudget(
  ctx: Pick<Ctx, 'clock' | 'settings'>,
  rows: BudgetRow[],
  capacity: Capacity,
  quota?: Budget['quota'],
): Budget {
  const utilization = utilizationOf(rows, capacity);
  const hours = utilization * 24;
  const startsAtMs = nextRunMs(
    ctx.clock.now(),
    openingMs(ctx.settings.dailyRunAtMinutes, hours * msPerHour),
  );
  return {
    fanOut: rows.map((row) => describeStore(row, capacity)),
    utilization: roundShare(utilization),
    completion: {
      startsAt: new Date(startsAtMs).toISOString(),
      hours: roundTo(4)(hours),
      completesAt: new Date(startsAtMs + Math.round(hours * msPerHour)).toISOString(),
    },
    ...(quota ? { quota } : {}),
  };
}

function describeStore(row: BudgetRow, capacity: Capacity): Budget['fanOut'][number] {
  const day = storeDay(capacity, row);
  const perDay = requestsPerDay(capacity, row.store);
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
      endpoints: capacity.endpoints,
      requestsPerDay: perDay,
    },
    utilization: roundShare(day.requests / perDay),
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

/** The next opening of a daily run after `now`. */
function nextRunMs(now: Date, afterMidnightMs: number): number {
  const today = startOfDayMs(utcDayOf(now)) + afterMidnightMs;
  return today > now.getTime() ? today : today + msPerDay;
}
