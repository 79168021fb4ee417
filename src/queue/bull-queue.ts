import { Queue as Bull, type BulkJobOptions } from 'bullmq';
import { keyPrefix, type QueueConnection } from './connection.ts';
import { withinDeadline } from './deadline.ts';
import { toQueueError } from './errors.ts';
import type { Queue, QueueJob } from './queue.ts';
import type { OnQueueError } from './throttle-errors.ts';

export interface BullQueue extends Queue {
  bull(): Bull;
  /** Jobs in all states, because all of them take space. */
  countAll(): Promise<number>;
}

interface BullJob {
  name: string;
  data: object;
  opts: BulkJobOptions;
}

const batchSize = 500;
const waitingStates = ['waiting', 'prioritized', 'delayed'] as const;

/**
 * Attempts are unlimited: the worker decides about dead letters, and a job that BullMQ marks as
 * failed would block its id for new jobs.
 */
const jobOptions = {
  attempts: 1_000_000,
  removeOnComplete: true,
  removeOnFail: { age: 7 * 86_400 },
};

export function openBullQueue(
  name: string,
  connection: QueueConnection,
  onError: OnQueueError,
): BullQueue {
  let current: Bull | null = null;
  const bull = () => (current ??= createBull(name, connection, onError));
  const ready = async () => {
    const queue = bull();
    try {
      await withinDeadline(queue.waitUntilReady());
      return queue;
    } catch (error) {
      // BullMQ never recovers from a failed start; the next call begins with a new object.
      if (current === queue) current = null;
      queue.close().catch(() => undefined);
      throw error;
    }
  };
  const ask = async <T>(question: (queue: Bull) => Promise<T>): Promise<T> => {
    try {
      const queue = await ready();
      return await withinDeadline(question(queue));
    } catch (error) {
      throw toQueueError(error);
    }
  };
  return {
    bull,
    addAll: async (jobs) => {
      jobs.forEach(checkJob);
      for (let start = 0; start < jobs.length; start += batchSize) {
        const batch = jobs.slice(start, start + batchSize).map(toBullJob);
        await ask((queue) => queue.addBulk(batch));
      }
    },
    counts: async () => {
      const found = await ask((queue) => queue.getJobCounts(...waitingStates, 'active'));
      return {
        waiting: waitingStates.reduce((sum, state) => sum + (found[state] ?? 0), 0),
        active: found.active ?? 0,
      };
    },
    countAll: async () => {
      const found = await ask((queue) =>
        queue.getJobCounts(...waitingStates, 'active', 'failed', 'completed'),
      );
      return Object.values(found).reduce((sum, count) => sum + count, 0);
    },
    close: async () => {
      const queue = current;
      current = null;
      await queue?.close().catch(() => undefined);
    },
  };
}

function createBull(name: string, connection: QueueConnection, onError: OnQueueError): Bull {
  const options = {
    connection: connection.producer as never,
    prefix: keyPrefix,
    streams: { events: { maxLen: 1_000 } },
  };
  const queue =
    connection.factory === undefined
      ? new Bull(name, options)
      : new Bull(name, options, connection.factory as never);
  queue.on('error', (error: Error) => onError(error, `queue ${name}`));
  return queue;
}

function toBullJob({ id, name, data, priority }: QueueJob): BullJob {
  return { name, data, opts: { ...jobOptions, jobId: id, priority } };
}

function checkJob({ id, priority }: QueueJob): void {
  if (id === '' || id.includes(':') || /^\d+$/.test(id))
    throw new TypeError(
      `"${id}" is not a job id: it must not be empty or a number, or contain ":"`,
    );
  if (!Number.isInteger(priority) || priority < 1 || priority > 2_097_152)
    throw new TypeError(`${priority} is not a priority`);
}
