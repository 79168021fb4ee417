import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { call, type Job } from '../api.ts';
import { describeError } from '../describe-error.ts';
import { i18next } from '../i18n.ts';

const beatMs = 1_500;
const mostBeats = 400;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const isSettled = (job: Job) => job.state !== 'queued' && job.state !== 'running';

function describeEnd({ state, progress, error }: Job): string {
  const { t } = i18next;
  if (state === 'succeeded') return progress.total > 0 ? t('job.done', { done: progress.done, total: progress.total }) : t('job.nothing');
  if (state === 'failed' || state === 'cancelled' || state === 'shed') return error ?? t(`job.${state}`);
  return t('job.queued');
}

/** Accepted work as a toast that turns into its result; what it changed is read again. */
export async function followJob(jobId: number, title: string, queryClient: QueryClient): Promise<void> {
  const { t } = i18next;
  const id = `job-${jobId}`;
  const closeButtonProps = { 'aria-label': t('common.close') };
  notifications.show({ id, title, message: t('job.queued'), loading: true, autoClose: false, closeButtonProps });
  try {
    for (let beat = 0; beat < mostBeats; beat += 1) {
      const job = await call('GET /jobs/{jobId}', { params: { jobId } });
      if (isSettled(job)) {
        const isDone = job.state === 'succeeded';
        const message = describeEnd(job);
        notifications.update({ id, title, message, loading: false, color: isDone ? 'teal' : 'red', autoClose: 7_000, closeButtonProps });
        break;
      }
      notifications.update({
        id,
        title,
        message: job.progress.total > 0 ? t('job.progress', { done: job.progress.done, total: job.progress.total }) : t('job.queued'),
        loading: true,
        autoClose: false,
        closeButtonProps,
      });
      await wait(beatMs);
    }
  } catch (error) {
    const { title: what, remedy } = describeError(error);
    notifications.update({ id, title: what, message: remedy, loading: false, color: 'red', autoClose: 7_000, closeButtonProps });
  }
  void queryClient.invalidateQueries();
}
