import type { RunRow } from '#db/queries/runs/runs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { storeNames } from '#domain/base/ports.ts';
import { dispatchBackgroundJobs, dispatchDeliveries } from './dispatch-background-jobs.ts';
import { dispatchStore } from './dispatch-store-work.ts';
import { EnqueueError } from './enqueue.ts';
import { finishWhenDone } from './close-run.ts';
import { openRun } from './open-run.ts';
import { runPeriodicTasks } from './run-periodic-tasks.ts';
import type { Schedule } from './schedule.ts';
import type { Dispatcher } from './store-work.ts';

/**
 * One tick of the scheduler: opens or closes the day's run, enqueues due work, runs the periodic
 * tasks and finishes the run. Rows decide everything, so ticks may be repeated and several
 * schedulers may run. Throws at the end if a queue refused its jobs, and at once if the database is
 * unavailable. Periodic tasks end with the time as leader.
 */
export async function tick(
  services: CheckServices,
  dispatcher: Dispatcher,
  schedule: Schedule,
  isLeader: () => boolean = () => true,
): Promise<{ dispatched: number }> {
  const run = await openRun(services);
  const { ofStores, others, failed } = await dispatch(services, dispatcher, run, schedule);
  await runPeriodicTasks(services, schedule.periodicTasks, isLeader);
  if (run && run.finishedAt === null && ofStores === 0) await finishWhenDone(services, run);
  if (failed.length > 0) throw new Error(`not enqueued: ${failed.join('; ')}`);
  return { dispatched: ofStores + others };
}

/**
 * Each queue by itself: one that refuses its jobs delays no other queue and no periodic task.
 * Returns the jobs of the stores apart: deliveries that wait for the end of the run are enqueued
 * again and again, and must not keep it open.
 */
async function dispatch(
  services: CheckServices,
  dispatcher: Dispatcher,
  run: RunRow | undefined,
  { store, backgroundJobs, deliveries }: Schedule,
): Promise<{ ofStores: number; others: number; failed: string[] }> {
  const failed: string[] = [];
  const sendAll = async (parts: { name: string; send: () => Promise<number> }[]) => {
    let dispatched = 0;
    for (const { name, send } of parts) {
      try {
        dispatched += await send();
      } catch (error) {
        if (!(error instanceof EnqueueError)) throw error;
        failed.push(`${name} (${error.message})`);
      }
    }
    return dispatched;
  };
  const ofStores = await sendAll(
    storeNames.map((name) => ({
      name,
      send: () => dispatchStore(services, dispatcher, name, run, store),
    })),
  );
  const others = await sendAll([
    ...backgroundJobs.map((jobs) => ({
      name: `jobs of ${jobs.queue}`,
      send: () => dispatchBackgroundJobs(services, dispatcher, jobs),
    })),
    { name: 'deliveries', send: () => dispatchDeliveries(services, dispatcher, deliveries) },
  ]);
  return { ofStores, others, failed };
}
