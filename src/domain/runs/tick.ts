import type { RunRow } from '../../db/queries/runs.ts';
import type { Services } from '../context.ts';
import { storeNames } from '../ports.ts';
import { dispatchStore, type Dispatcher } from './dispatch.ts';
import { dispatchHouse } from './dispatch-house.ts';
import { NotTakenError } from './hand-over.ts';
import { finishWhenDone, openRun } from './open-run.ts';
import { settleOpenJobs } from './settle-jobs.ts';
import { sweep } from './sweep.ts';

/**
 * One beat of the scheduler. Everything it does is decided by rows and can be repeated or done by several processes
 * at once: open and close days, fill the windows, finish runs, hand over house work, sweep, bring accepted jobs up to date.
 * Throws at its end, and once, where a queue did not take its part; at once where the database does not answer.
 */
export async function tick(
  services: Services,
  dispatcher: Dispatcher,
): Promise<{ dispatched: number }> {
  const run = await openRun(services);
  const { dispatched, failed } = await dispatch(services, dispatcher, run);
  await sweep(services);
  await settleOpenJobs(services);
  if (run && run.finishedAt === null && dispatched === 0) await finishWhenDone(services, run);
  if (failed.length > 0) throw new Error(`not handed over: ${failed.join('; ')}`);
  return { dispatched };
}

/** Each part by itself: what one queue does not take holds up no other, and nothing that needs none. */
async function dispatch(
  services: Services,
  dispatcher: Dispatcher,
  run: RunRow | undefined,
): Promise<{ dispatched: number; failed: string[] }> {
  const parts = [
    ...storeNames.map((store) => ({
      name: store,
      hand: () => dispatchStore(services, dispatcher, store, run),
    })),
    { name: 'house work', hand: () => dispatchHouse(services, dispatcher) },
  ];
  let dispatched = 0;
  const failed: string[] = [];
  for (const { name, hand } of parts) {
    try {
      dispatched += await hand();
    } catch (error) {
      if (!(error instanceof NotTakenError)) throw error;
      failed.push(`${name} (${error.message})`);
    }
  }
  return { dispatched, failed };
}
