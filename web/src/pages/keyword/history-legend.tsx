import { useTranslation } from 'react-i18next';
import styles from './history-card.module.css';

interface Props {
  gaps: number;
  fallbacks: number;
  hasEvents: boolean;
  hasBoundaries: boolean;
}

export function HistoryLegend({ gaps, fallbacks, hasEvents, hasBoundaries }: Props) {
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
      {fallbacks > 0 && (
        <li>
          <span className={styles.keyFallback} aria-hidden />
          {t('history.keyFallback', { count: fallbacks })}
        </li>
      )}
      {hasBoundaries && (
        <li>
          <span className={styles.keyBoundary} aria-hidden />
          {t('history.keySwitch')}
        </li>
      )}
      {hasEvents && (
        <li>
          <span className={styles.keyMark} aria-hidden />
          {t('history.keyMark')}
        </li>
      )}
    </ul>
  );
}
