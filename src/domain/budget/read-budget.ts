import type { z } from 'zod';
import type { budget } from '../../contract/jobs.ts';
import type { Tx } from '../../db/database.ts';
import { getPlan, listBudgetRows, type BudgetRow } from '../../db/queries/budgets.ts';
import { startOfDayMs, utcDayOf } from '../../lib/dates.ts';
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
import { isLongOver } from '../billing/limits.ts';
import { planOf } from '../billing/plans.ts';
import { msPerDay, openingMs } from './opening.ts';

export type Budget = z.input<typeof budget>;

const msPerHour = 3_600_000;

/** What this workspace's day costs in store requests, against capacity. Reads two rows, whatever is tracked. */
export function readBudget(ctx: Ctx): Promise<Budget> {
  return inTenant(ctx, async (tx) =>
    describeBudget(
      ctx,
      await listBudgets(tx, ctx.workspaceId),
      capacityOf(ctx.settings),
      await readQuota(tx, ctx),
    ),
  );
}

/** Both stores' rows, also of a workspace that has tracked nothing yet. */
export async function listBudgets(tx: Tx, workspaceId: number): Promise<BudgetRow[]> {
  const rows = await listBudgetRows(tx, workspaceId);
  return storeNames.map((store) => rows.find((row) => row.store === store) ?? nothing(store));
}

export function capacityOf(settings: DomainSettings): Capacity {
  return {
    requestsPerMinute: settings.requestsPerMinute,
    endpoints: Math.max(1, settings.endpoints()),
  };
}

/** The answer of GET /jobs/budget for rows as they are, or as they might be. */
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
  const day = storeDay(row);
  const perDay = requestsPerDay(capacity, row.store);
  return {
    store: row.store,
    kinds: {
      rankChecks: { jobs: day.searches, requests: roundRequests(day.searchRequests) },
      appRefreshes: { jobs: day.reads, requests: roundRequests(day.readRequests) },
      canaries: { jobs: day.canaries, requests: day.canaries },
      reviews: roundLoad(day.chores.reviews),
      charts: roundLoad(day.chores.chart),
      pages: roundLoad(day.chores.page),
      hints: roundLoad(day.chores.hints),
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

/** What is not done every day counts as its share of one. */
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
    overLimitSince: isLongOver({ overLimitSince }, ctx.clock.now())
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
    chores: {},
  };
}

/** The first opening of a daily run after `now`. */
function nextRunMs(now: Date, afterMidnightMs: number): number {
  const today = startOfDayMs(utcDayOf(now)) + afterMidnightMs;
  return today > now.getTime() ? today : today + msPerDay;
}
