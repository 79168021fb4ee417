import type { Services } from '../context.ts';
import { storeNames } from '../ports.ts';
import { dispatchStore, type Dispatcher } from './dispatch.ts';
import { dispatchHouse } from './dispatch-house.ts';
import { finishWhenDone, openRun } from './open-run.ts';
import { settleOpenJobs } from './settle-jobs.ts';
import { sweep } from './sweep.ts';

/**
 * One beat of the scheduler. Everything it does is decided by rows and can be repeated or done by several processes
 * at once: open and close days, fill the windows, finish runs, hand over house work, sweep, bring accepted jobs up to date.
 */
export async function tick(services: Services, dispatcher: Dispatcher): Promise<{ dispatched: number }> {
  const run = await openRun(services);
  let dispatched = 0;
  for (const store of storeNames) dispatched += await dispatchStore(services, dispatcher, store, run);
  dispatched += await dispatchHouse(services, dispatcher);
  await sweep(services);
  await settleOpenJobs(services);
  if (run && run.finishedAt === null && dispatched === 0) await finishWhenDone(services, run);
  return { dispatched };
}
