import { useTranslation } from 'react-i18next';
import { formatShare } from '../../format.ts';
import styles from './capacity-page.module.css';

const percent = (share: number) => `${Math.min(100, share * 100)}%`;

/** A day as a bar; what would be added is the paler part. */
export function Gauge({ share, after, label }: { share: number; after?: number | undefined; label: string }) {
  const { t } = useTranslation();
  const level = share > 1 ? 'over' : share > 0.8 ? 'high' : 'calm';
  return (
    <>
      <div
        className={styles.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round(share * 100))}
        aria-valuetext={formatShare(share)}
      >
        {after !== undefined && <span className={styles.ghost} style={{ width: percent(after) }} />}
        <span className={styles.fill} data-level={level} style={{ width: percent(share) }} />
      </div>
      <div className={styles.ends} aria-hidden>
        <span>0 h</span>
        <span>{t('capacity.day')}</span>
      </div>
    </>
  );
}
