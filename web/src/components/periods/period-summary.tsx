import styles from './periods.module.css';

interface Props {
  /** The average of the period and of the compared one, in words. */
  own: string;
  compared: string;
  /** Why the periods are not comparable. */
  note?: string | undefined;
}

/** Both periods in words, which is also the legend of their lines. */
export function PeriodSummary({ own, compared, note }: Props) {
  return (
    <ul className={`num ${styles.summary}`}>
      <li>
        <span className={`${styles.key} ${styles.own}`} aria-hidden />
        {own}
      </li>
      <li>
        <span className={styles.key} aria-hidden />
        {compared}
      </li>
      {note && <li>{note}</li>}
    </ul>
  );
}
