import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Meter } from '#web/components/meter.tsx';
import { formatCount } from '#web/format.ts';
import styles from './billing-page.module.css';

interface Props {
  label: string;
  used: number;
  limit: number;
  note?: ReactNode;
}

/** Usage of a limit. Usage above the limit is also written as text. */
export function LimitMeter({ label, used, limit, note }: Props) {
  const { t } = useTranslation();
  const level = used > limit ? 'over' : used >= limit * 0.9 ? 'high' : 'calm';
  const text = t('billing.of', { used: formatCount(used), limit: formatCount(limit) });
  return (
    <li>
      <div className={styles.meterHead}>
        <span>{label}</span>
        <span className="num">{text}</span>
      </div>
      <Meter
        share={used / Math.max(1, limit)}
        level={level}
        meter={{ label, value: Math.min(used, limit), max: limit, text }}
      />
      {note && <p className={styles.small}>{note}</p>}
    </li>
  );
}
