import { Meter } from '#web/components/meter.tsx';
import styles from './methodology-page.module.css';

interface Props {
  label: string;
  /** Shares from 0 to 1. */
  bars: readonly { label: string; share: number; hint?: string | undefined }[];
  show: (share: number) => string;
}

/** Shares as bars with numbers; a list for screen readers. */
export function Bars({ label, bars, show }: Props) {
  return (
    <figure className={styles.figure}>
      <figcaption>{label}</figcaption>
      <ul className={styles.bars}>
        {bars.map((bar) => (
          <li key={bar.label}>
            <span>{bar.label}</span>
            <Meter share={bar.share} heightPx={10} />
            <span className={styles.figureValue}>{show(bar.share)}</span>
            {bar.hint && <span className={styles.hint}>{bar.hint}</span>}
          </li>
        ))}
      </ul>
    </figure>
  );
}
