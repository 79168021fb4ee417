import type { Tx } from '#db/database.ts';
import { countUnreadListings } from '#db/queries/due-counts/due-counts.ts';
import { closeMarkets, findLastMarketId } from '#db/queries/runs/market-schedule.ts';
import {
  findRun,
  finishRun,
  tryLockClosing,
  updateLeftOver,
  type RunRow,
} from '#db/queries/runs/runs.ts';
import {
  closeStoreTasks,
  findLastStoreTaskId,
  shedStoreTasks,
} from '#db/queries/store-tasks/store-task-days.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { storeNames } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import { hasWorkLeft } from './dispatch-store-work.ts';
import { storeTaskKindsOf } from './shed.ts';

/** Rows of a transaction, which holds their locks for a tenth of a second. */
const batchSize = 2_000;
/** Ids of a transaction that locks few of their rows. */
const closingBatchSize = 3_000;
/** A batch of fewer rows is not the reason that the time is over. */
const minRows = 200;
const stepMs = 350;

/** A transaction that ends the day for some rows. Returns their number, 0 after the last. */
type Batch = (tx: Tx) => Promise<number>;

/**
 * Ends a day: every market and store task without an outcome gets a gap with its reason. Listings
 * have no gaps, but a day that neither read nor shed them is overdue too. Stops after half a
 * second, and the next call continues: each batch commits what it has found. Returns false until
 * the day is closed.
 */
export async function closeRun(services: Services, date: UtcDay): Promise<boolean> {
  // Markets before store tasks: adding keywords takes their locks in this order too.
  const isEmpty = await runBatches(services, [
    (tx) => closeMarketBatch(tx, date),
    async (tx) => shedBatch(tx, await findRun(tx, date)),
    (tx) => closeStoreTaskBatch(tx, date),
  ]);
  if (!isEmpty) return false;
  const leftOver = await inSystem(services, (tx) => finishClosing(tx, date, services.clock.now()));
  if (hasAny(leftOver))
    services.log.error({ date, ...leftOver }, 'the day ended before its work was done');
  return true;
}

/** Marks the run as finished once none of its work is left. */
export async function finishWhenDone(services: Services, run: RunRow): Promise<boolean> {
  for (const store of storeNames) {
    if (await hasWorkLeft(services, store, run)) return false;
  }
  if (!(await shedWork(services, run))) return false;
  await finishRun(services.systemDb, run.date, 'finished', services.clock.now());
  services.log.info({ date: run.date }, 'daily run finished');
  return true;
}

/**
 * Gives the tasks that the day sheds their gaps, also those that were requested later. Stops after
 * half a second. Returns false until none is left.
 */
export async function shedWork(services: Services, run: RunRow): Promise<boolean> {
  if (storeNames.every((store) => storeTaskKindsOf(run.shed[store] ?? []).length === 0))
    return true;
  return runBatches(services, [(tx) => shedBatch(tx, run)]);
}

/**
 * Repeats each batch until it finds nothing, or until the time is over: then, and while another
 * process works on batches, returns false.
 */
async function runBatches(services: Services, batches: readonly Batch[]): Promise<boolean> {
  const endMs = performance.now() + stepMs;
  for (const batch of batches) {
    for (;;) {
      const count = await inSystem(services, async (tx) =>
        (await tryLockClosing(tx)) ? batch(tx) : null,
      );
      if (count === null) return false;
      if (count === 0) break;
      // Small days end in one call.
      if (count >= minRows && performance.now() > endMs) return false;
    }
  }
  return true;
}

async function closeMarketBatch(tx: Tx, date: UtcDay): Promise<number> {
  const run = await findRun(tx, date);
  const ids = nextIds(run, 'closedMarkets', await findLastMarketId(tx));
  if (!run || ids.until <= ids.after) return 0;
  const closed = await closeMarkets(tx, { day: date, ...ids });
  const { markets = 0, requests = {} } = run.leftOver;
  await updateLeftOver(tx, date, {
    ...run.leftOver,
    closedMarkets: ids.until,
    markets: closed.reduce((sum, row) => sum + row.markets, markets),
    requests: Object.fromEntries(
      storeNames.map((store) => [
        store,
        (requests[store] ?? 0) + (closed.find((row) => row.store === store)?.requests ?? 0),
      ]),
    ),
  });
  return ids.until - ids.after;
}

/** The lock of the closing is held. */
function nextIds(
  run: RunRow | undefined,
  closed: 'closedMarkets' | 'closedStoreTasks',
  lastId: number,
): { after: number; until: number } {
  const after = run?.leftOver[closed] ?? 0;
  return { after, until: Math.min(after + closingBatchSize, lastId) };
}

async function shedBatch(tx: Tx, run: RunRow | undefined): Promise<number> {
  let count = 0;
  for (const store of storeNames) {
    const kinds = storeTaskKindsOf(run?.shed[store] ?? []);
    if (run && kinds.length > 0)
      count += await shedStoreTasks(tx, { store, kinds, day: run.date, limit: batchSize });
  }
  return count;
}

async function closeStoreTaskBatch(tx: Tx, date: UtcDay): Promise<number> {
  const run = await findRun(tx, date);
  const ids = nextIds(run, 'closedStoreTasks', await findLastStoreTaskId(tx));
  if (!run || ids.until <= ids.after) return 0;
  const count = await closeStoreTasks(tx, { day: date, ...ids });
  const { storeTasks = 0 } = run.leftOver;
  await updateLeftOver(tx, date, {
    ...run.leftOver,
    closedStoreTasks: ids.until,
    storeTasks: storeTasks + count,
  });
  return ids.until - ids.after;
}

async function finishClosing(tx: Tx, date: UtcDay, now: Date): Promise<Record<string, number>> {
  const run = await findRun(tx, date);
  const readingStores = storeNames.filter((store) => !run?.shed[store]?.includes('refresh'));
  const { markets = 0, storeTasks = 0 } = run?.leftOver ?? {};
  const listings = await countUnreadListings(tx, readingStores, date);
  const leftOver = { markets, listings, storeTasks };
  await finishRun(tx, date, hasAny(leftOver) ? 'overdue' : 'finished', now);
  return leftOver;
}

const hasAny = (counts: Record<string, number>): boolean =>
  Object.values(counts).some((count) => count > 0);
