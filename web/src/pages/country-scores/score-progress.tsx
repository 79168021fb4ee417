import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Meter } from '#web/components/meter.tsx';
import { formatCount } from '#web/format.ts';
import { countryScoreJobsQuery } from '#web/queries/country-scores.ts';
import styles from './country-scores-page.module.css';

/** How far the open jobs of the app are. */
export function ScoreProgress({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { data } = useQuery(countryScoreJobsQuery(appId));
  const open = (data?.items ?? []).filter(({ state }) => state === 'queued' || state === 'running');
  const done = open.reduce((sum, { progress }) => sum + progress.done, 0);
  const total = open.reduce((sum, { progress }) => sum + progress.total, 0);
  if (total === 0) return null;
  const text = t('countryScores.progress', { done: formatCount(done), total: formatCount(total) });
  return (
    <div className={styles.progress} role="status">
      <strong className="num">{text}</strong>
      <Meter share={done / total} />
      <span className="muted">{t('countryScores.progressHint')}</span>
    </div>
  );
}
