import { useTranslation } from 'react-i18next';
import styles from './history-card.module.css';

export function HistoryLegend({ gaps, hasEvents }: { gaps: number; hasEvents: boolean }) {
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
      {hasEvents && (
        <li>
          <span className={styles.keyMark} aria-hidden />
          {t('history.keyMark')}
        </li>
      )}
    </ul>
  );
}
