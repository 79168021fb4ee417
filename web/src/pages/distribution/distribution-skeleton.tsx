import { useTranslation } from 'react-i18next';
import { Waiting } from '#web/components/waiting.tsx';
import styles from './distribution-page.module.css';

export function DistributionSkeleton() {
  const { t } = useTranslation();
  return (
    <div className="stack" role="status" aria-label={t('common.loading')}>
      <div className={styles.columns}>
        <Waiting height={[576, 618]} />
        <Waiting height={[576, 530]} />
      </div>
      <Waiting height={[336, 398]} />
      <Waiting height={[1_360, 1_518]} />
    </div>
  );
}
