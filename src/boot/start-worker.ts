import { startScheduler } from '#jobs/scheduler.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import type { Registry } from '#jobs/registry-entry.ts';
import { startWorkers } from '#jobs/workers.ts';
import type { Runtime } from './services.ts';

// A check takes a second or two. Longer work returns to the queue, so that shutdown ends within 30
// s.
const drainMs = 8_000;

export interface WorkerRole {
  isLeader(): boolean;
  close(): Promise<void>;
}

/** Starts the scheduler, which works while it is the elected one, and the workers of all stores. */
export function startWorker(runtime: Runtime, registry: Registry): WorkerRole {
  const dispatcher = createDispatcher(runtime.queues, registry);
  const election = runtime.joinElection();
  const scheduler = startScheduler(runtime.services, dispatcher, registry, election);
  const workers = startWorkers(runtime.queues, runtime.services, registry);
  runtime.onWake(scheduler.wake);
  return {
    isLeader: () => election.isLeader(),
    close: async () => {
      await scheduler.close();
      await election.close();
      await workers.close(drainMs);
    },
  };
}
