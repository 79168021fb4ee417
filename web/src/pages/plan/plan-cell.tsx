import { formatCount, formatSigned } from '../../format.ts';
import styles from './plan-page.module.css';

/** A limit of a plan, and how much more or less that is than what holds now. */
export function PlanCell({ limit, before }: { limit: number; before: number | null }) {
  return (
    <td className="end num">
      {formatCount(limit)}
      {before !== null && before !== limit && (
        <span className={styles.change}>{formatSigned(limit - before)}</span>
      )}
    </td>
  );
}
