import { createPostgresBackend, type BackendFactory, type PgPool } from 'bullmq';
import { Batch } from '#lib/batch.ts';
import { cacheForOneSecond } from './connection.ts';
import {
  endLaterLocks,
  finishAndTake,
  insertJobs,
  listActiveQueues,
  type Step,
} from './postgres-jobs.ts';

type Backend = ReturnType<typeof createPostgresBackend>;
type Taken = Awaited<ReturnType<Backend['moveToActive']>>;

const defaultLockMs = 30_000;

/**
 * BullMQ's backend for PostgreSQL, with the steps that every job takes in batches: workers that end
 * jobs at the same time delete them and take the next ones in one statement. Nobody reads BullMQ's
 * events, so these steps write none. Our jobs have no parents, delays or limits.
 */
export function createBatchedBackend(pool: PgPool): BackendFactory<Backend, never> {
  // The workers of all queues look for stalled jobs within the same second.
  const names = new Set<string>();
  const findActiveQueues = cacheForOneSecond(() => listActiveQueues(pool, [...names]));
  return (name, options, factoryOptions) => {
    names.add(name);
    const backend = createPostgresBackend(name, options, factoryOptions);
    const { lockDuration = defaultLockMs } = options as { lockDuration?: number };
    const steps = new Batch((requested: Step[]) =>
      finishAndTake(pool, name, lockDuration, requested),
    );
    const completeAlone = backend.moveToCompleted.bind(backend);
    const recoverStalled = backend.moveStalledJobsToWait.bind(backend);
    const take = async (step: Step): Promise<{ isDone: boolean; taken: Taken }> => {
      const { isDone, job } = await steps.ask(step);
      return { isDone, taken: job === null ? [null, '', 0, 0] : [job, job.id, 0, 0] };
    };
    return Object.assign(backend, {
      addJob: async (job, id) => {
        await insertJobs(pool, name, [{ id, job }]);
        return id;
      },
      addJobs: async (entries) => {
        const jobs = entries.map(({ jobId, job }) => ({ id: jobId, job }));
        await insertJobs(pool, name, jobs);
        return jobs.map(({ id }) => id);
      },
      // BullMQ's own check writes each time, which would keep an idle database awake.
      moveStalledJobsToWait: async () => {
        if ((await findActiveQueues())?.has(name) === false) return [];
        await endLaterLocks(pool, name, lockDuration);
        return recoverStalled();
      },
      moveToActive: async (token) => (await take({ doneId: null, token, isTaking: true })).taken,
      moveToCompleted: async (job, value, removal, token, isTaking) => {
        const { isDone, taken } = await take({ doneId: job.id!, token, isTaking });
        // BullMQ has the error for a job that is gone or locked by another worker.
        if (!isDone) return completeAlone(job, value, removal, token, false);
        return { result: isTaking ? taken : undefined, finishedOn: Date.now() };
      },
    } satisfies Partial<Backend>);
  };
}
