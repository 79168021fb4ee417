import { useTranslation } from 'react-i18next';
import { Waiting } from '#web/components/waiting.tsx';
import styles from './timeline-page.module.css';

/** The line about the rules, and days with their first event. */
export function TimelineSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={styles.days} role="status" aria-label={t('common.loading')}>
      <Waiting height={[19, 39]} />
      {Array.from({ length: 6 }, (_, index) => (
        <Waiting key={index} height={[65, 120]} />
      ))}
    </div>
  );
}
