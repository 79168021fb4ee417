import { formatCountry } from '../format.ts';
import styles from './country-chip.module.css';

/** The country code in a frame. Flag emoji are missing on many systems. */
export function CountryChip({ code, named = false }: { code: string; named?: boolean }) {
  const name = formatCountry(code);
  return (
    <span className={styles.country} title={name}>
      <span className={styles.chip} aria-hidden>
        {code.toUpperCase()}
      </span>
      <span className={named ? undefined : 'sr-only'}>{name}</span>
    </span>
  );
}
