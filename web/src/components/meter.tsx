import styles from './meter.module.css';

interface Props {
  /** Filled share from 0 to 1. Larger values are drawn as full. */
  share: number;
  level?: 'calm' | 'high' | 'over';
  /** A second, paler value behind the first. */
  after?: number | undefined;
  heightPx?: number;
  /** Label for screen readers. Leave it out where text beside the bar says the same. */
  meter?: { label: string; value: number; max: number; text: string };
}

const widthOf = (share: number) => ({ width: `${Math.min(100, share * 100)}%` });

/** A horizontal bar of a share. */
export function Meter({ share, level = 'calm', after, heightPx = 8, meter }: Props) {
  const aria = meter
    ? {
        role: 'meter',
        'aria-label': meter.label,
        'aria-valuemin': 0,
        'aria-valuemax': meter.max,
        'aria-valuenow': meter.value,
        'aria-valuetext': meter.text,
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
