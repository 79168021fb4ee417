import styles from './meter.module.css';

interface Props {
  /** How much of it is full, from 0 to 1; more is drawn full. */
  share: number;
  level?: 'calm' | 'high' | 'over';
  /** What it would be, paler behind what it is. */
  after?: number | undefined;
  heightPx?: number;
  /** For whoever does not see it; left out where name and figures stand beside it. */
  told?: { label: string; value: number; max: number; text: string };
}

const widthOf = (share: number) => ({ width: `${Math.min(100, share * 100)}%` });

/** A share of a whole as a bar. */
export function Meter({ share, level = 'calm', after, heightPx = 8, told }: Props) {
  const aria = told
    ? {
        role: 'meter',
        'aria-label': told.label,
        'aria-valuemin': 0,
        'aria-valuemax': told.max,
        'aria-valuenow': told.value,
        'aria-valuetext': told.text,
      }
    : { 'aria-hidden': true };
  return (
    <span
      className={styles.track}
      style={{ height: heightPx, borderRadius: heightPx / 2 }}
      {...aria}
    >
      {after !== undefined && <span className={styles.after} style={widthOf(after)} />}
      <span className={styles.fill} data-level={level} style={widthOf(share)} />
    </span>
  );
}
