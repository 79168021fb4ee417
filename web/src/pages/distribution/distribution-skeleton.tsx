import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './distribution-page.module.css';

export function Waiting() {
  const { t } = useTranslation();
  return (
    <div className="stack" role="status" aria-label={t('common.loading')}>
      <div className={styles.columns}>
        <Skeleton height={470} radius={14} />
        <Skeleton height={470} radius={14} />
      </div>
      <Skeleton height={310} radius={14} />
      <Skeleton height={420} radius={14} />
    </div>
  );
}
