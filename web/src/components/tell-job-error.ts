import type { Job } from '../api.ts';
import { i18next } from '../i18n.ts';

const asksStore: ReadonlySet<Job['kind']> = new Set([
  'first-check',
  'run-daily',
  'app-refresh',
  'review-sync',
  'score',
]);

/** What went wrong. Of work that was done in part the API alone knows how much, and says it in its own words. */
export function tellJobError({
  kind,
  state,
  error,
  progress,
}: Pick<Job, 'kind' | 'state' | 'error' | 'progress'>): string | null {
  if (error === null || state !== 'failed') return error;
  return asksStore.has(kind)
    ? i18next.t('job.noAnswer', { count: progress.total })
    : i18next.t('job.gaveUp');
}
