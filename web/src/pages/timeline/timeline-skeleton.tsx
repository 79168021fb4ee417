import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './timeline-page.module.css';

export function Waiting() {
  const { t } = useTranslation();
  return (
    <div className={styles.days} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} height={92} radius={14} />
      ))}
    </div>
  );
}
