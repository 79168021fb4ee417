import type { Job } from '../api.ts';
import { i18next } from '../i18n.ts';

const queriesStore: ReadonlySet<Job['kind']> = new Set([
  'first-check',
  'run-daily',
  'app-refresh',
  'review-sync',
  'score',
]);

/**
 * Describes the failure of a job. Only the API knows the share of a partly completed job, so its
 * own message is used there.
 */
export function formatJobError({
  kind,
  state,
  error,
  progress,
}: Pick<Job, 'kind' | 'state' | 'error' | 'progress'>): string | null {
  if (error === null || state !== 'failed') return error;
  return queriesStore.has(kind)
    ? i18next.t('job.noResponse', { count: progress.total })
    : i18next.t('job.gaveUp');
}
