import type { Job } from 'bullmq';

/** Crashes after which a job is suspected, and further ones, alone, after which it is convicted: five in all. */
const suspicionLimit = 2;
const convictionLimit = 3;

export interface Quarantine {
  /** True for a job that has been there when its worker died or hung, more than once. */
  isSuspect(job: Job): boolean;
  isConvicted(job: Job): boolean;
  /** Runs suspects one after another and counts only the starts made here. */
  run(job: Job, work: () => Promise<void>): Promise<void>;
}

/**
 * Tells the job that kills its worker from the jobs that die with it. A crash stalls every job of the process, and all
 * of them come back together; so suspects run one at a time, and each start is written down before (as the job's
 * progress, the one number both stores keep) and taken back when the process survives it.
 */
export function openQuarantine(): Quarantine {
  let last: Promise<unknown> = Promise.resolve();
  const countCrashes = (job: Job) => (typeof job.progress === 'number' ? job.progress : 0);
  return {
    isSuspect: (job) => job.stalledCounter >= suspicionLimit,
    isConvicted: (job) => countCrashes(job) >= convictionLimit,
    run: (job, work) => {
      const turn = last.then(async () => {
        const crashes = countCrashes(job);
        await job.updateProgress(crashes + 1);
        try {
          await work();
        } catch (error) {
          await job.updateProgress(crashes).catch(() => undefined);
          throw error;
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
