import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { ApiError } from '#client/http.ts';
import { call, type Job } from '../api.ts';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';
import { refreshFreeReads } from '../queries/free-reads.ts';
import { JobRunningNotice } from './job-running-notice.tsx';
import { formatJobError } from './format-job-error.ts';
import { showToast, updateToast } from './toasts/toast-store.ts';

const pollIntervalMs = 1_500;
const longestMs = 10 * 60_000;
const shownMs = 7_000;
/** A failure stays until it is closed. */
const failed = { tone: 'failure', closesAfterMs: null } as const;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const hasEnded = (job: Job) => job.state !== 'queued' && job.state !== 'running';
/** A limit or a network error while polling says nothing about the job itself. */
const isTransient = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 429 || error.status >= 500;

function describeEnd(job: Job): string {
  const { state, progress } = job;
  const { t } = i18next;
  if (state === 'succeeded' && progress.total === 0) return t('job.nothing');
  if (state === 'succeeded')
    return joinSentences(
      t('job.done', { done: progress.done, total: progress.total }),
      formatJobError(job),
    );
  if (state === 'failed' || state === 'cancelled' || state === 'shed')
    return formatJobError(job) ?? t(`job.${state}`);
  return t('job.queued');
}

function describeProgress(job: Job): string {
  const { done, total } = job.progress;
  const progress = i18next.t(total > 0 ? 'job.progress' : 'job.queued', { done, total });
  return joinSentences(progress, formatJobError(job));
}

const joinSentences = (first: string, second: string | null): string =>
  second === null ? first : `${first}. ${second}`;

/** Resolves with the finished job, or with null if it is still running after several minutes. */
async function waitForEnd(jobId: number, onMove: (message: string) => void): Promise<Job | null> {
  const endsMs = Date.now() + longestMs;
  let shown = i18next.t('job.queued');
  while (Date.now() < endsMs) {
    let waitMs = pollIntervalMs;
    try {
      const job = await call('GET /jobs/{jobId}', { params: { jobId } });
      if (hasEnded(job)) return job;
      const message = describeProgress(job);
      // Screen readers announce each change once.
      if (message !== shown) onMove(message);
      shown = message;
    } catch (error) {
      if (!isTransient(error)) throw error;
      waitMs = Math.max(pollIntervalMs, (describeError(error).retryAfterSeconds ?? 0) * 1_000);
    }
    await wait(Math.min(waitMs, Math.max(0, endsMs - Date.now())));
  }
  return null;
}

/** Shows an accepted job as a toast that turns into its result, and refreshes the affected data. */
export async function followJob(
  jobId: number,
  title: string,
  queryClient: QueryClient,
): Promise<void> {
  const { t } = i18next;
  const id = `job-${jobId}`;
  const over = { isLoading: false, closesAfterMs: shownMs };
  showToast({
    id,
    title,
    message: t('job.queued'),
    tone: 'neutral',
    isLoading: true,
    closesAfterMs: null,
  });
  try {
    const job = await waitForEnd(jobId, (message) => updateToast(id, { message }));
    if (job)
      updateToast(id, {
        ...over,
        message: describeEnd(job),
        ...(job.state === 'succeeded' ? { tone: 'success' } : failed),
      });
    else
      updateToast(id, { ...over, message: createElement(JobRunningNotice), closesAfterMs: null });
  } catch (error) {
    const { title: what, remedy } = describeError(error);
    updateToast(id, { ...over, title: what, message: remedy, ...failed });
  }
  refreshFreeReads(queryClient);
}
