import { startScheduler } from '../jobs/schedule.ts';
import { createDispatcher, startWorkers } from '../jobs/worker.ts';
import type { Runtime } from './services.ts';

const drainMs = 20_000;

/** The scheduler and the workers of both stores. */
export function startWork(runtime: Runtime): { close(): Promise<void> } {
  const dispatcher = createDispatcher(runtime.queues);
  const scheduler = startScheduler(runtime.services, dispatcher);
  const workers = startWorkers(runtime.queues, runtime.services);
  runtime.onWake(scheduler.wake);
  return {
    close: async () => {
      await scheduler.close();
      await workers.close(drainMs);
    },
  };
}
