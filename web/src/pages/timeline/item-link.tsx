import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { addDays } from '#lib/dates.ts';
import type { TimelineItem } from '#web/queries/timeline.ts';
import styles from './timeline-page.module.css';

export function ItemLink({ item: { kind, date }, appId }: { item: TimelineItem; appId: number }) {
  const { t } = useTranslation();
  const params = { appId: String(appId) };
  if (kind === 'rank') {
    return (
      <Link
        to="/apps/$appId/distribution"
        params={params}
        search={{ a: addDays(date, -1), b: date } as never}
        hash="compare"
        className={styles.link}
      >
        {t('timeline.toMoves')}
      </Link>
    );
  }
  if (kind === 'reviews') {
    return (
      <Link
        to="/apps/$appId/reviews"
        params={params}
        search={{ from: date, to: date }}
        className={styles.link}
      >
        {t('timeline.toReviews')}
      </Link>
    );
  }
  if (kind === 'run') {
    return (
      <Link to="/runs" search={{ day: date } as never} className={styles.link}>
        {t('timeline.toRun')}
      </Link>
    );
  }
  return null;
}
