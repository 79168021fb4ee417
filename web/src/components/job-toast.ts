import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { call, type Job } from '../api.ts';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';
import { refreshFreeReads } from '../queries/free-reads.ts';
import { pollUntilEnded } from '../queries/poll-until-ended.ts';
import { JobRunningNotice } from './job-running-notice.tsx';
import { formatJobError } from './format-job-error.ts';
import { showToast, untilAllHidden, updateToast } from './toasts/toast-store.ts';

const longestMs = 10 * 60_000;
const shownMs = 7_000;
/** A failure stays until it is closed. */
const failed = { tone: 'failure', closesAfterMs: null } as const;
const hasEnded = (job: Job) => job.state !== 'queued' && job.state !== 'running';

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
function waitForEnd(
  jobId: number,
  isOver: () => boolean,
  onMove: (message: string) => void,
): Promise<Job | null> {
  let shown = i18next.t('job.queued');
  return pollUntilEnded(
    () => call('GET /jobs/{jobId}', { params: { jobId } }),
    (job) => {
      if (hasEnded(job)) return job;
      const message = describeProgress(job);
      // Screen readers announce each change once.
      if (message !== shown) onMove(message);
      shown = message;
      return null;
    },
    longestMs,
    isOver,
  );
}

/**
 * Shows an accepted job as a toast that becomes its result, and refreshes the affected data. It
 * ends with the session.
 */
export async function followJob(
  jobId: number,
  title: string,
  queryClient: QueryClient,
): Promise<void> {
  const { t } = i18next;
  const id = `job-${jobId}`;
  const isOver = untilAllHidden();
  showToast({
    id,
    title,
    message: t('job.queued'),
    tone: 'neutral',
    isLoading: true,
    closesAfterMs: null,
  });
  let end: Parameters<typeof updateToast>[1];
  try {
    const job = await waitForEnd(jobId, isOver, (message) => updateToast(id, { message }));
    if (!job) end = { message: createElement(JobRunningNotice) };
    else if (job.state !== 'succeeded') end = { message: describeEnd(job), ...failed };
    else end = { message: describeEnd(job), tone: 'success', closesAfterMs: shownMs };
  } catch (error) {
    const { title: what, remedy } = describeError(error);
    end = { title: what, message: remedy, ...failed };
  }
  if (isOver()) return;
  updateToast(id, { ...end, isLoading: false });
  refreshFreeReads(queryClient);
}
