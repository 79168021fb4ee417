import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './page-pending.module.css';

export function PagePending() {
  const { t } = useTranslation();
  return (
    <div className={styles.page} role="status" aria-label={t('common.loading')}>
      <Skeleton height={26} width={220} />
      <Skeleton height={14} width={340} />
      <Skeleton height={320} />
    </div>
  );
}
