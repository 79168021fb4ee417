import type { Job } from 'bullmq';

/** The parts of a queued job that its crashes are read from and written to. */
export type SuspectedJob = Pick<Job, 'stalledCounter' | 'progress' | 'updateProgress'>;

export interface CrashRecord {
  /** Crashes while nothing else was running in the process. */
  alone: number;
  /** Crashes while others were running, any of which may have been the cause. */
  crowded: number;
}

const crowdedAtMost = 999;

/** Both numbers are in the progress of the job, the only number that both stores keep. */
export function readCrashes({ progress }: SuspectedJob): CrashRecord {
  const stored = typeof progress === 'number' ? progress : 0;
  return { alone: Math.floor(stored / 1_000), crowded: stored % 1_000 };
}

export function writeCrashes(job: SuspectedJob, { alone, crowded }: CrashRecord): Promise<void> {
  return job.updateProgress(alone * 1_000 + Math.min(crowded, crowdedAtMost));
}
