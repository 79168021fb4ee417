import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../format.ts';
import styles from './plan-page.module.css';

interface Props {
  label: string;
  used: number;
  limit: number;
  note?: ReactNode;
}

/** How much of a limit is used; what is over it is told, not only drawn. */
export function Meter({ label, used, limit, note }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const level = used > limit ? 'over' : used >= limit * 0.9 ? 'high' : 'calm';
  const words = t('plan.of', { used: formatCount(used), limit: formatCount(limit) });
  return (
    <li>
      <div className={styles.meterHead}>
        <span id={id}>{label}</span>
        <span className="num">{words}</span>
      </div>
      <div
        className={styles.track}
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={words}
      >
        <span className={styles.fill} data-level={level} style={{ width: `${Math.min(100, (used / Math.max(1, limit)) * 100)}%` }} />
      </div>
      {note && <p className={styles.small}>{note}</p>}
    </li>
  );
}
