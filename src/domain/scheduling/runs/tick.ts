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
  const { dispatched, failed } = await dispatch(services, dispatcher, run, schedule);
  await runPeriodicTasks(services, schedule.periodicTasks, isLeader);
  if (run && run.finishedAt === null && dispatched === 0) await finishWhenDone(services, run);
  if (failed.length > 0) throw new Error(`not enqueued: ${failed.join('; ')}`);
  return { dispatched };
}

/** Each queue by itself: one that refuses its jobs delays no other queue and no periodic task. */
async function dispatch(
  services: CheckServices,
  dispatcher: Dispatcher,
  run: RunRow | undefined,
  { store, backgroundJobs, deliveries }: Schedule,
): Promise<{ dispatched: number; failed: string[] }> {
  const parts = [
    ...storeNames.map((name) => ({
      name,
      send: () => dispatchStore(services, dispatcher, name, run, store),
    })),
    ...backgroundJobs.map((jobs) => ({
      name: `jobs of ${jobs.queue}`,
      send: () => dispatchBackgroundJobs(services, dispatcher, jobs),
    })),
    { name: 'deliveries', send: () => dispatchDeliveries(services, dispatcher, deliveries) },
  ];
  let dispatched = 0;
  const failed: string[] = [];
  for (const { name, send } of parts) {
    try {
      dispatched += await send();
    } catch (error) {
      if (!(error instanceof EnqueueError)) throw error;
      failed.push(`${name} (${error.message})`);
    }
  }
  return { dispatched, failed };
}
