import { failCrashedJobRow, requeueCrashedJobs } from '#db/queries/jobs/background-jobs.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { reportFailure } from './report-failure.ts';

const dayMs = 86_400_000;
/** A job that still crashes its worker after this is not tried again by itself. */
const retriedForMs = 7 * dayMs;

type JobServices = Pick<Services, 'systemDb' | 'clock' | 'mailer' | 'log'>;

/**
 * Failed jobs that were requested after this may run again: by themselves if they crashed their
 * worker. Files that they need are kept.
 */
export const retriedAfter = ({ clock }: Pick<Services, 'clock'>): Date =>
  new Date(clock.now().getTime() - retriedForMs);

/** Ends a job that crashed its worker while nothing else ran, and reports it to the owners. */
export function failCrashedJob(services: JobServices, jobId: number): Promise<void> {
  const error =
    'its worker crashed three times while nothing else ran; it is tried again daily for a week';
  return inSystem(services, async (tx) => {
    const now = services.clock.now();
    const failed = await failCrashedJobRow(tx, jobId, { error, now });
    if (failed) await reportFailure(tx, services, failed);
  });
}

/** Tries crashed jobs again a day later: a new version may have mended the cause. */
export async function retryCrashedJobs(services: JobServices): Promise<void> {
  const { systemDb, clock, log } = services;
  const jobs = await requeueCrashedJobs(systemDb, {
    crashedBefore: new Date(clock.now().getTime() - dayMs),
    requestedAfter: retriedAfter(services),
  });
  if (jobs.length > 0) log.warn({ jobs }, 'jobs that crashed their worker are tried again');
}
