import {
  takeDueStoreTasks,
  takeUrgentStoreTasks,
  type QueuedStoreTask,
} from '#db/queries/store-tasks/store-tasks.ts';
import { hasDueStoreTasks } from '#db/queries/store-tasks/store-task-days.ts';
import { hasUnnamed, takeUnnamed } from '#db/queries/listings/unnamed-listings.ts';
import { takeListings, type QueuedListings } from '#db/queries/listings/listing-schedule.ts';
import type { RunRow } from '#db/queries/runs/runs.ts';
import {
  countQueued,
  hasRemaining,
  releaseQueued,
  takeDueMarkets,
  takeUrgentMarkets,
  type Queued,
  type QueuedMarket,
} from '#db/queries/runs/market-schedule.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Services } from '#domain/base/context.ts';
import { profileOf, storeTaskKinds, type StoreName } from '#domain/base/ports.ts';
import { continueStoreTraces } from './continue-traces.ts';
import { enqueue } from './enqueue.ts';
import type { StoreSchedule } from './schedule.ts';
import { planProbes } from './plan-probes.ts';
import { isShed, remainingKinds } from './shed.ts';
import type { Dispatcher, PlannedKind, StoreWork } from './store-work.ts';

const minUrgentJobs = 8;

interface Take {
  store: StoreName;
  /** The day the work belongs to. */
  day: UtcDay;
  now: Date;
  /** The end of the lease. */
  until: Date;
}

/**
 * Keeps a store's queue filled: urgent work first, then the day's run. Returns the number of jobs
 * enqueued. Throws EnqueueError.
 */
export async function dispatchStore(
  services: Services,
  dispatcher: Dispatcher,
  store: StoreName,
  run: RunRow | undefined,
  schedule: StoreSchedule,
): Promise<number> {
  const now = services.clock.now();
  const today = utcDayOf(now);
  const probing = await planProbes(services, store, { day: today, now }, schedule.probeRetryMs);
  if (probing.isBlocked)
    return sendProbes(dispatcher, store, [...probing.first, ...probing.retries]);
  const queued = await countQueued(services.systemDb, store, now);
  const until = new Date(now.getTime() + schedule.leaseMs);
  const urgentUntil = new Date(now.getTime() + schedule.urgentLeaseMs);
  const work = await takeUrgent(
    services,
    { store, day: today, now, until: urgentUntil },
    queued,
    Math.max(0, urgentCapacity(services, store, schedule) - queued.urgent),
  );
  work.push(...probing.retries);
  const isRunning = run !== undefined && run.finishedAt === null && run.date === today;
  if (isRunning && queued.all + work.length <= schedule.maxEnqueued / 2) {
    const limit = schedule.maxEnqueued - queued.all - work.length;
    work.push(
      ...(probing.first.length > 0 && (await hasWorkLeft(services, store, run))
        ? probing.first
        : []),
      ...(probing.isProbed
        ? await takePhases(services, { store, day: run.date, now, until }, run, {
            phases: schedule.phases,
            limit,
          })
        : []),
    );
  }
  if (work.length === 0) return 0;
  await enqueue(
    async () => dispatcher.send(store, await continueStoreTraces(services, work)),
    () => releaseQueued(services.systemDb, store, [until, urgentUntil]),
  );
  return work.length;
}

/**
 * Urgent jobs for the next seconds at most: the order of a queue is fixed, and the row of another
 * workspace may have an earlier round.
 */
function urgentCapacity(
  { settings }: Services,
  store: StoreName,
  { maxEnqueued, urgentSeconds }: StoreSchedule,
): number {
  const perSecond = (settings.requestsPerMinute[store] * settings.endpoints()) / 60;
  return Math.min(2 * maxEnqueued, Math.max(minUrgentJobs, Math.ceil(urgentSeconds * perSecond)));
}

async function takeUrgent(
  { systemDb }: Services,
  take: Take,
  { hasUrgentMarkets, hasUrgentListings, hasUrgentStoreTasks }: Queued,
  limit: number,
): Promise<StoreWork[]> {
  const markets = hasUrgentMarkets ? await takeUrgentMarkets(systemDb, { ...take, limit }) : [];
  const listings = hasUrgentListings
    ? await takeListings(systemDb, { ...take, limit: limit - markets.length, urgentOnly: true })
    : [];
  const tasks = hasUrgentStoreTasks
    ? await takeUrgentStoreTasks(systemDb, {
        ...take,
        limit: Math.max(0, limit - markets.length - listings.length),
        kinds: storeTaskKinds,
      })
    : [];
  return [
    ...markets.map((market) => toCheck(take.store, take.day, market)),
    ...toRefreshes(take.store, take.day, listings),
    ...tasks.map((task) => toStoreTask(take.store, take.day, task, true)),
  ];
}

/** A phase begins when nothing of the phases before it is left to enqueue. */
async function takePhases(
  services: Services,
  take: Take,
  run: RunRow,
  { phases, limit }: { phases: StoreSchedule['phases']; limit: number },
): Promise<StoreWork[]> {
  const work: StoreWork[] = [];
  let left = limit;
  for (const kinds of phases) {
    if (left <= 0) break;
    const taken = await takePhase(services, take, run, { kinds, limit: left });
    work.push(...taken);
    left -= countRows(taken);
  }
  return work;
}

async function takePhase(
  services: Services,
  take: Take,
  run: RunRow,
  { kinds, limit }: { kinds: readonly PlannedKind[]; limit: number },
): Promise<StoreWork[]> {
  const { store, day } = take;
  const work: StoreWork[] = [];
  if (kinds.includes('rank-check')) {
    const markets = await takeDueMarkets(services.systemDb, { ...take, limit });
    work.push(...markets.map((market) => toCheck(store, day, market)));
  }
  if (kinds.includes('app-refresh') && !isShed(run, store, 'refresh')) {
    const listings = await takeListings(services.systemDb, {
      ...take,
      limit: limit - countRows(work),
      urgentOnly: false,
    });
    work.push(...toRefreshes(store, day, listings));
  }
  if (kinds.includes('listing-names')) {
    const { listingsPerRequest: perRequest } = profileOf(store);
    const unnamed = await takeUnnamed(services.systemDb, { ...take, perRequest });
    work.push(
      ...toBatches(unnamed, perRequest).map((batch): StoreWork => ({
        kind: 'listing-names',
        store,
        day,
        ...batch,
      })),
    );
  }
  const taskKinds = storeTaskKinds.filter((kind) => kinds.includes(kind));
  const remaining = remainingKinds(run, store, taskKinds);
  if (remaining.length > 0) {
    const tasks = await takeDueStoreTasks(services.systemDb, {
      ...take,
      limit: Math.max(0, limit - countRows(work)),
      kinds: remaining,
    });
    work.push(...tasks.map((task) => toStoreTask(store, day, task, false)));
  }
  return work;
}

/** Counts rows rather than jobs: a refresh reads several listings with one request. */
const countRows = (work: readonly StoreWork[]): number =>
  work.reduce((sum, job) => sum + ('listingIds' in job ? job.listingIds.length : 1), 0);

/** True while the run has work left for the store. */
export async function hasWorkLeft(
  services: Services,
  store: StoreName,
  run: RunRow,
): Promise<boolean> {
  return (
    (await hasRemaining(services.systemDb, store, run.date, !isShed(run, store, 'refresh'))) ||
    (await hasUnnamed(services.systemDb, store)) ||
    hasDueStoreTasks(services.systemDb, store, remainingKinds(run, store, storeTaskKinds), run.date)
  );
}

async function sendProbes(
  dispatcher: Dispatcher,
  store: StoreName,
  probes: StoreWork[],
): Promise<number> {
  if (probes.length > 0)
    await enqueue(
      () => dispatcher.send(store, probes),
      async () => undefined,
    );
  return probes.length;
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

function toStoreTask(
  store: StoreName,
  day: UtcDay,
  task: QueuedStoreTask,
  urgent: boolean,
): StoreWork {
  return {
    kind: 'store-task',
    store,
    day,
    storeTaskId: task.id,
    task: task.kind,
    attempt: task.attempts,
    urgent,
  };
}

/** Each job reads as many listings as the store allows in a request. */
function toRefreshes(store: StoreName, day: UtcDay, groups: QueuedListings[]): StoreWork[] {
  const batch = profileOf(store).listingsPerRequest;
  return toBatches(groups, batch).map((group) => ({ kind: 'app-refresh', store, day, ...group }));
}

function toBatches<Group extends { listingIds: number[] }>(
  groups: readonly Group[],
  size: number,
): Group[] {
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.listingIds.length / size) }, (_, index) => ({
      ...group,
      listingIds: group.listingIds.slice(index * size, (index + 1) * size),
    })),
  );
}
