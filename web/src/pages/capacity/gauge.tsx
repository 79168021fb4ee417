import { useTranslation } from 'react-i18next';
import { Meter } from '#web/components/meter.tsx';
import { formatShare } from '#web/format.ts';
import styles from './capacity-page.module.css';

/** The share of a day as a bar. The paler part is the estimate. */
export function Gauge({
  share,
  after,
  label,
}: {
  share: number;
  after?: number | undefined;
  label: string;
}) {
  const { t } = useTranslation();
  const texts = {
    label,
    value: Math.min(100, Math.round(share * 100)),
    max: 100,
    text: formatShare(share),
  };
  return (
    <div className={styles.gauge}>
      <Meter
        share={share}
        after={after}
        level={share > 1 ? 'over' : share > 0.8 ? 'high' : 'calm'}
        heightPx={12}
        meter={texts}
      />
      <div className={styles.ends} aria-hidden>
        <span>0</span>
        <span>{t('capacity.day')}</span>
      </div>
    </div>
  );
}
