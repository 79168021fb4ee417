import { startScheduler } from '../jobs/schedule.ts';
import { createDispatcher, startWorkers } from '../jobs/worker.ts';
import type { Runtime } from './services.ts';

// A check takes a second or two; what takes longer goes back to the queue, so that everything ends within 30 s.
const drainMs = 8_000;

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
