import type { Job } from 'bullmq';

/**
 * After two crashes a job runs alone; after three more crashes alone it is poison. That makes five.
 */
const suspectAfter = 2;
const poisonAfter = 3;

export interface Quarantine {
  /** True for a job that was running more than once when its worker died or hung. */
  isSuspect(job: Job): boolean;
  /** True for a job that crashed its worker while it ran alone. */
  isPoison(job: Job): boolean;
  /** Runs suspects one at a time and counts their crashes. */
  run(job: Job, work: () => Promise<void>): Promise<void>;
}

/**
 * Finds the job that crashes its worker among the jobs that fail with it. A crash stalls every job
 * of the process, and all of them return together, so suspects run one at a time. Each start is
 * recorded beforehand in the job's progress, the only number that both stores keep, and removed if
 * the process survives.
 */
export function openQuarantine(): Quarantine {
  let last: Promise<unknown> = Promise.resolve();
  const countCrashes = (job: Job) => (typeof job.progress === 'number' ? job.progress : 0);
  return {
    isSuspect: (job) => job.stalledCounter >= suspectAfter,
    isPoison: (job) => countCrashes(job) >= poisonAfter,
    run: (job, work) => {
      const result = last.then(async () => {
        const crashes = countCrashes(job);
        await job.updateProgress(crashes + 1);
        try {
          await work();
        } catch (error) {
          await job.updateProgress(crashes).catch(() => undefined);
          throw error;
        }
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}
