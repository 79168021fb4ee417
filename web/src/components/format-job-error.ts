import { findReason } from '#contract/unexplained-failure.ts';
import type { Job } from '../api.ts';
import { formatInstant, formatList } from '../format.ts';
import { i18next } from '../i18n.ts';

const queriesStore: ReadonlySet<Job['kind']> = new Set([
  'first-check',
  'run-daily',
  'keyword-check',
  'app-refresh',
  'review-sync',
  'score',
]);

type Reported = Pick<Job, 'kind' | 'state' | 'error' | 'progress' | 'parts'>;

/** Describes why a job failed, or the parts of it that have no response. Null: nothing is wrong. */
export function formatJobError(job: Reported): string | null {
  if (job.state === 'failed') {
    if (!queriesStore.has(job.kind)) return findReason(job.error) ?? i18next.t('job.gaveUp');
    return i18next.t('job.noResponse', { count: job.progress.total });
  }
  return formatOpenParts(job) ?? job.error;
}

function formatOpenParts({ parts }: Reported): string | null {
  const missing = listParts(parts, 'missing');
  const awaited = listParts(parts, 'awaited');
  const instants = parts.flatMap(({ awaitedUntil }) => awaitedUntil ?? []).toSorted();
  const sentences = [
    missing === null ? null : i18next.t('job.missing', { parts: missing }),
    awaited === null || instants[0] === undefined
      ? null
      : i18next.t('job.awaited', { parts: awaited, time: formatInstant(instants[0]) }),
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

function listParts(parts: Reported['parts'], count: 'missing' | 'awaited'): string | null {
  const texts = parts
    .filter((part) => part[count] > 0)
    .map((part) => i18next.t(`job.part.${part.kind}`, { count: part[count] }));
  return texts.length === 0 ? null : formatList(texts);
}
