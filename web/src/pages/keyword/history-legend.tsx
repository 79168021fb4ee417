import { useTranslation } from 'react-i18next';
import styles from './history-card.module.css';

/** What the marks of the chart mean. */
export function HistoryLegend({ gaps, hasMarks }: { gaps: number; hasMarks: boolean }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.keyLine} aria-hidden />
        {t('history.keyRanked')}
      </li>
      <li>
        <span className={styles.keyOut} aria-hidden />
        {t('history.keyOut')}
      </li>
      <li>
        <span className={styles.keyGap} aria-hidden />
        {t('history.keyGap', { count: gaps })}
      </li>
      {hasMarks && (
        <li>
          <span className={styles.keyMark} aria-hidden />
          {t('history.keyMark')}
        </li>
      )}
    </ul>
  );
}
