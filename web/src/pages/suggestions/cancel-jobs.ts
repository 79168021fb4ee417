import { call } from '#web/api.ts';
import { isApiError } from '#web/describe-error.ts';

/** Cancels all of them, except those that have ended. Rejects if one could not be cancelled. */
export async function cancelJobs(jobIds: Iterable<number>): Promise<void> {
  const outcomes = await Promise.allSettled(
    Array.from(jobIds, (jobId) => call('POST /jobs/{jobId}/cancel', { params: { jobId } })),
  );
  for (const outcome of outcomes)
    // The API refuses to cancel a job that has ended.
    if (outcome.status === 'rejected' && !isApiError(outcome.reason, 'invalid_request'))
      throw outcome.reason;
}
