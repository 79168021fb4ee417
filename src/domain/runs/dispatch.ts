import { takeDueChores, takeUrgentChores, type QueuedChore } from '../../db/queries/chores.ts';
import { hasDueChores } from '../../db/queries/chore-days.ts';
import { takeListings, type QueuedListings } from '../../db/queries/listing-schedule.ts';
import { findCanary, type RunRow } from '../../db/queries/runs.ts';
import {
  countQueued,
  hasRemaining,
  releaseQueued,
  takeDueMarkets,
  takeUrgentMarkets,
  type QueuedMarket,
} from '../../db/queries/schedule.ts';
import { utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { turns } from '../chores/kinds.ts';
import type { Services } from '../context.ts';
import { choreKinds, type ChoreKind, type StoreName } from '../ports.ts';
import { handOver } from './hand-over.ts';
import { isShed, keptKinds } from './shed.ts';

/** Work for a store's queue: ids only; the lower the priority number, the sooner. */
export type StoreWork =
  | { kind: 'canary'; store: StoreName; day: UtcDay; attempt: number }
  | {
      kind: 'rank-check';
      store: StoreName;
      day: UtcDay;
      marketId: number;
      attempt: number;
      urgent: boolean;
    }
  | {
      kind: 'app-refresh';
      store: StoreName;
      day: UtcDay;
      country: string;
      listingIds: number[];
      urgent: boolean;
    }
  | {
      kind: 'chore';
      store: StoreName;
      day: UtcDay;
      choreId: number;
      chore: ChoreKind;
      attempt: number;
      urgent: boolean;
    };

/** Work that asks no store: ids of rows that say what is to be done. */
export type HouseWork =
  | { kind: 'job'; jobId: number }
  | { kind: 'delivery'; deliveryId: number; attempt: number };

export interface Dispatcher {
  send(store: StoreName, work: StoreWork[]): Promise<void>;
  sendHouse(work: HouseWork[]): Promise<void>;
}

/** At most so much work of a store's run are with the queue, whatever the size of the day; and as many that somebody waits for. */
export const windowSize = 500;
/** A check that the queue lost comes back after this, sooner where somebody waits; one it still has is not added twice. */
const leaseMs = 120_000;
const urgentLeaseMs = 20_000;
const canaryRetryMs = 5 * 60_000;

/** Keeps a store's queue filled: what somebody waits for first, then the day's run. Returns how much was handed over. */
export async function dispatchStore(
  services: Services,
  dispatcher: Dispatcher,
  store: StoreName,
  run: RunRow | undefined,
): Promise<number> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const canary = await findCanary(services.systemDb, store, today);
  if (canary?.state === 'degraded')
    return retryCanary(dispatcher, { store, day: today, canary, now });
  const queued = await countQueued(services.systemDb, store, now);
  const until = new Date(now.getTime() + leaseMs);
  const urgentUntil = new Date(now.getTime() + urgentLeaseMs);
  const work = await takeUrgent(services, {
    store,
    day: today,
    now,
    until: urgentUntil,
    limit: Math.max(0, 2 * windowSize - queued),
  });
  const isRunning = run !== undefined && run.finishedAt === null && run.date === today;
  if (isRunning && queued + work.length <= windowSize / 2) {
    const limit = windowSize - queued - work.length;
    work.push(
      ...(canary
        ? await takeScheduled(services, { store, now, until }, run, limit)
        : await askCanaryFirst(services, store, run)),
    );
  }
  if (work.length === 0) return 0;
  await handOver(
    () => dispatcher.send(store, work),
    () => releaseQueued(services.systemDb, store, [until, urgentUntil]),
  );
  return work.length;
}

async function takeUrgent(
  services: Services,
  take: { store: StoreName; day: UtcDay; now: Date; until: Date; limit: number },
): Promise<StoreWork[]> {
  const markets = await takeUrgentMarkets(services.systemDb, take);
  const listings = await takeListings(services.systemDb, {
    ...take,
    limit: take.limit - markets.length,
    urgentOnly: true,
  });
  const limit = take.limit - markets.length - listings.length;
  const chores = await takeUrgentChores(services.systemDb, {
    ...take,
    limit: Math.max(0, limit),
    kinds: choreKinds,
  });
  return [
    ...markets.map((market) => toCheck(take.store, take.day, market)),
    ...toRefreshes(take.store, take.day, listings),
    ...chores.map((chore) => toChore(take.store, take.day, chore, true)),
  ];
}

/** Rank checks, then refreshes, then chores kind by kind: what comes later begins when nothing of the earlier is left to hand over. */
async function takeScheduled(
  services: Services,
  take: { store: StoreName; now: Date; until: Date },
  run: RunRow,
  limit: number,
): Promise<StoreWork[]> {
  const markets = await takeDueMarkets(services.systemDb, { ...take, day: run.date, limit });
  const work: StoreWork[] = markets.map((market) => toCheck(take.store, run.date, market));
  let left = limit - markets.length;
  if (left > 0 && !isShed(run, take.store, 'refresh')) {
    const listings = await takeListings(services.systemDb, {
      ...take,
      day: run.date,
      limit: left,
      urgentOnly: false,
    });
    work.push(...toRefreshes(take.store, run.date, listings));
    left -= listings.reduce((sum, group) => sum + group.listingIds.length, 0);
  }
  for (const turn of turns) {
    const kinds = keptKinds(run, take.store, turn);
    if (left <= 0 || kinds.length === 0) continue;
    const chores = await takeDueChores(services.systemDb, {
      ...take,
      day: run.date,
      limit: left,
      kinds,
    });
    work.push(...chores.map((chore) => toChore(take.store, run.date, chore, false)));
    left -= chores.length;
  }
  return work;
}

/** The first thing a day asks a store is something known; nothing is asked where nothing is tracked. */
async function askCanaryFirst(
  services: Services,
  store: StoreName,
  run: RunRow,
): Promise<StoreWork[]> {
  const isNeeded = await hasWorkLeft(services, store, run);
  return isNeeded ? [{ kind: 'canary', store, day: run.date, attempt: 0 }] : [];
}

/** True while the run has anything to ask the store. */
export async function hasWorkLeft(
  services: Services,
  store: StoreName,
  run: RunRow,
): Promise<boolean> {
  return (
    (await hasRemaining(services.systemDb, store, run.date, !isShed(run, store, 'refresh'))) ||
    hasDueChores(services.systemDb, store, keptKinds(run, store, choreKinds), run.date)
  );
}

/** Nothing is asked of a store that fails its canary but the canary itself, every five minutes. */
async function retryCanary(
  dispatcher: Dispatcher,
  failing: {
    store: StoreName;
    day: UtcDay;
    canary: { triedAt: Date; attempts: number };
    now: Date;
  },
): Promise<number> {
  const { store, day, canary, now } = failing;
  if (now.getTime() - canary.triedAt.getTime() < canaryRetryMs) return 0;
  await handOver(
    () => dispatcher.send(store, [{ kind: 'canary', store, day, attempt: canary.attempts }]),
    async () => undefined,
  );
  return 1;
}

function toCheck(store: StoreName, day: UtcDay, market: QueuedMarket): StoreWork {
  return {
    kind: 'rank-check',
    store,
    day,
    marketId: market.marketId,
    attempt: market.attempts,
    urgent: market.urgent,
  };
}

function toChore(store: StoreName, day: UtcDay, chore: QueuedChore, urgent: boolean): StoreWork {
  return {
    kind: 'chore',
    store,
    day,
    choreId: chore.id,
    chore: chore.kind,
    attempt: chore.attempts,
    urgent,
  };
}

/** iOS reads 200 listings with one request; Android one, so each is a job of its own. */
function toRefreshes(store: StoreName, day: UtcDay, groups: QueuedListings[]): StoreWork[] {
  const batch = store === 'ios' ? 200 : 1;
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.listingIds.length / batch) }, (_, index): StoreWork => ({
      kind: 'app-refresh',
      store,
      day,
      country: group.country,
      listingIds: group.listingIds.slice(index * batch, (index + 1) * batch),
      urgent: group.urgent,
    })),
  );
}
