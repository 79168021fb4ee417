import type { StoreName } from '#domain/base/ports.ts';
import type {
  BackgroundWork,
  Dispatcher,
  RowQueue,
  StoreWork,
} from '#domain/scheduling/runs/store-work.ts';
import type { QueueJob, QueueStore } from '#queue/queue.ts';
import type { Registry } from './registry-entry.ts';
import { findPlanned, isUrgent } from './run-store-work.ts';
import { backgroundWorkId, storeWorkId } from './store-work-id.ts';
import { addTraced } from './trace-jobs.ts';

/** Queues accept no higher number. */
const leastUrgent = 2_097_152;

/** Creates the dispatcher that puts the scheduler's jobs on their queues. */
export function createDispatcher(queues: QueueStore, registry: Registry): Dispatcher {
  return {
    send: (store: StoreName, work: StoreWork[]) =>
      addTraced(
        queues,
        store,
        work.map((item) => toStoreJob(registry, item)),
      ),
    sendBackground: (queue: RowQueue, work: BackgroundWork[]) =>
      addTraced(
        queues,
        queue,
        work.map((item) => ({
          id: backgroundWorkId(item),
          name: item.kind,
          data: { ...item },
          priority: priorityOf(item),
        })),
      ),
  };
}

const priorityOf = (work: BackgroundWork): number =>
  work.kind === 'job' ? Math.min(work.round ?? 1, leastUrgent) : 1;

function toStoreJob(registry: Registry, work: StoreWork): QueueJob {
  const entry = findPlanned(registry, work);
  if (!entry) throw new Error(`unknown job type ${work.kind}`);
  return {
    id: storeWorkId(work),
    name: entry.name,
    data: { ...work },
    priority: isUrgent(work) ? entry.priority.urgent : entry.priority.planned,
  };
}
