import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { ApiError } from '../../../src/client/http.ts';
import { call, type Job } from '../api.ts';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';
import { refreshFreeReads } from '../queries/free-reads.ts';
import { StillAtWork } from './still-at-work.tsx';
import { tellJobError } from './tell-job-error.ts';

const beatMs = 1_500;
const longestMs = 10 * 60_000;
const shownMs = 7_000;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isSettled = (job: Job) => job.state !== 'queued' && job.state !== 'running';
/** A limit, a hiccup of the server or of the network says nothing about the work, which was accepted. */
const isPassing = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 429 || error.status >= 500;

function describeEnd(job: Job): string {
  const { state, progress } = job;
  const { t } = i18next;
  if (state === 'succeeded')
    return progress.total > 0
      ? t('job.done', { done: progress.done, total: progress.total })
      : t('job.nothing');
  if (state === 'failed' || state === 'cancelled' || state === 'shed')
    return tellJobError(job) ?? t(`job.${state}`);
  return t('job.queued');
}

const describeProgress = ({ progress: { done, total } }: Job): string =>
  total > 0 ? i18next.t('job.progress', { done, total }) : i18next.t('job.queued');

/** The job once it is settled; null when it is still at work after minutes. */
async function waitForEnd(jobId: number, onMove: (message: string) => void): Promise<Job | null> {
  const endsMs = Date.now() + longestMs;
  let told = i18next.t('job.queued');
  while (Date.now() < endsMs) {
    let waitMs = beatMs;
    try {
      const job = await call('GET /jobs/{jobId}', { params: { jobId } });
      if (isSettled(job)) return job;
      const message = describeProgress(job);
      // Who listens to the page hears each change once.
      if (message !== told) onMove(message);
      told = message;
    } catch (error) {
      if (!isPassing(error)) throw error;
      waitMs = Math.max(beatMs, (describeError(error).retryAfterSeconds ?? 0) * 1_000);
    }
    await wait(Math.min(waitMs, Math.max(0, endsMs - Date.now())));
  }
  return null;
}

/** Accepted work as a toast that turns into its result; what it changed is read again. */
export async function followJob(
  jobId: number,
  title: string,
  queryClient: QueryClient,
): Promise<void> {
  const { t } = i18next;
  const id = `job-${jobId}`;
  const over = { id, loading: false, autoClose: shownMs };
  notifications.show({
    id,
    title,
    message: t('job.queued'),
    role: 'status',
    loading: true,
    autoClose: false,
    closeButtonProps: { 'aria-label': t('common.close') },
  });
  try {
    const job = await waitForEnd(jobId, (message) => notifications.update({ id, title, message }));
    if (job)
      notifications.update({
        ...over,
        title,
        message: describeEnd(job),
        color: job.state === 'succeeded' ? 'teal' : 'red',
      });
    else
      notifications.update({
        ...over,
        title,
        message: createElement(StillAtWork),
        autoClose: false,
      });
  } catch (error) {
    const { title: what, remedy } = describeError(error);
    notifications.update({ ...over, title: what, message: remedy, color: 'red' });
  }
  refreshFreeReads(queryClient);
}
