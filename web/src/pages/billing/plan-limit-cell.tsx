import { formatCount, formatSigned } from '#web/format.ts';
import styles from './billing-page.module.css';

/** The limit of a plan and its difference from the current limit. */
export function PlanLimitCell({ limit, before }: { limit: number; before: number | null }) {
  return (
    <td className="end num">
      {formatCount(limit)}
      {before !== null && before !== limit && (
        <span className={styles.change}>{formatSigned(limit - before)}</span>
      )}
    </td>
  );
}
