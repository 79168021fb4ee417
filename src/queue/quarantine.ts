import { setTimeout as sleep } from 'node:timers/promises';
import { readCrashes, writeCrashes, type CrashRecord, type SuspectedJob } from './crash-record.ts';
import { trackRunningJobs } from './running-jobs.ts';

/** After two crashes a job is a suspect and starts alone; three crashes alone make it poison. */
const suspectAfter = 2;
const poisonAfter = 3;
/** The time alone of a suspect doubles with each crash, up to this many times the first one. */
const longestTrial = 12;
/** The wait for the end of others doubles each time that some went on, up to as many times. */
const longestWait = 120;

/** The work of a job. It calls `survived` once it has written something that stays. */
export type QuarantinedWork = (survived: () => Promise<void>) => Promise<void>;

export interface Quarantine {
  /** True for a job that crashed its process while nothing else was running. */
  isPoison(job: SuspectedJob): boolean;
  /** Runs a job, and starts it alone if it was running when processes died. */
  run(job: SuspectedJob, work: QuarantinedWork, signal: AbortSignal): Promise<void>;
}

interface Trial {
  job: SuspectedJob;
  work: QuarantinedWork;
  signal: AbortSignal;
}

/**
 * Finds the job that crashes its process among all that die with it. Only the crashes of a job that
 * was alone in its process count, because the others may be bystanders. A start is recorded
 * beforehand, and the record is taken back when the job survives its time alone, ends, or has
 * written something that stays. So jobs that are killed from outside are not taken for poison.
 */
export function openQuarantine(firstTrialMs: number): Quarantine {
  const running = trackRunningJobs(2 * firstTrialMs);
  let trials: Promise<unknown> = Promise.resolve();

  /** Resolves when the next trial may begin, with the end of this job. */
  const begin = async (trial: Trial): Promise<{ end: Promise<void> }> => {
    const { job, signal } = trial;
    const crashes = readCrashes(job);
    const waitMs = firstTrialMs * Math.min(longestWait, 2 ** crashes.crowded);
    try {
      const isAlone = await running.holdUp(waitMs, signal);
      if (!signal.aborted) await writeCrashes(job, countStart(crashes, isAlone));
      const survival = Promise.withResolvers<void>();
      const end = running.runNow(() => runRecorded(trial, crashes, survival.resolve));
      const trialMs =
        firstTrialMs * Math.min(longestTrial, 2 ** (job.stalledCounter - suspectAfter));
      if (isAlone && !(await endsWithin(trialMs, Promise.race([end, survival.promise]))))
        await writeCrashes(job, crashes).catch(() => undefined);
      return { end };
    } finally {
      running.resume();
    }
  };

  return {
    isPoison: (job) => readCrashes(job).alone >= poisonAfter,
    run: async (job, work, signal) => {
      if (job.stalledCounter < suspectAfter)
        return running.run(() => work(async () => undefined), signal);
      const trial = trials.then(() => begin({ job, work, signal }));
      trials = trial.catch(() => undefined);
      const { end } = await trial;
      await end;
    },
  };
}

const countStart = ({ alone, crowded }: CrashRecord, isAlone: boolean): CrashRecord =>
  isAlone ? { alone: alone + 1, crowded } : { alone, crowded: crowded + 1 };

async function runRecorded(
  { job, work }: Trial,
  crashes: CrashRecord,
  onSurvived: () => void,
): Promise<void> {
  let hasSurvived = false;
  try {
    await work(async () => {
      if (hasSurvived) return;
      hasSurvived = true;
      await writeCrashes(job, { alone: 0, crowded: 0 }).catch(() => undefined);
      onSurvived();
    });
  } catch (error) {
    if (!hasSurvived) await writeCrashes(job, crashes).catch(() => undefined);
    throw error;
  }
}

function endsWithin(timeoutMs: number, work: Promise<void>): Promise<boolean> {
  const isOver = work.then(
    () => true,
    () => true,
  );
  return Promise.race([isOver, sleep(timeoutMs, false, { ref: false })]);
}
