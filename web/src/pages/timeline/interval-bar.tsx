import { useTranslation } from 'react-i18next';
import { formatSigned } from '#web/format.ts';
import styles from './impact-panel.module.css';

interface Props {
  difference: number;
  interval: { low: number; high: number };
}

/**
 * The difference as a dot on its confidence interval. If the interval crosses the middle, the
 * difference may be chance.
 */
export function IntervalBar({ difference, interval: { low, high } }: Props) {
  const { t } = useTranslation();
  const reach = Math.max(Math.abs(low), Math.abs(high), 1) * 1.15;
  const at = (positions: number) => `${50 + (positions / reach) * 50}%`;
  const isSignificant = low > 0 || high < 0;
  return (
    <div className={styles.bar} data-kind={isSignificant ? (low > 0 ? 'gain' : 'loss') : 'unsure'}>
      <div
        className={styles.axis}
        role="img"
        aria-label={t('impact.barLabel', {
          difference: formatSigned(difference),
          low: formatSigned(low),
          high: formatSigned(high),
        })}
      >
        <span className={styles.zero} />
        <span
          className={styles.reach}
          style={{ left: at(low), right: `calc(100% - ${at(high)})` }}
        />
        <span className={styles.dot} style={{ left: at(difference) }} />
      </div>
      <p className={styles.scale} aria-hidden>
        <span>{formatSigned(-Math.round(reach))}</span>
        <span>0</span>
        <span>{formatSigned(Math.round(reach))}</span>
      </p>
      <p className="muted">{t(isSignificant ? 'impact.significant' : 'impact.notSignificant')}</p>
    </div>
  );
}
