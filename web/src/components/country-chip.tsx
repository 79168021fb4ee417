import { formatCountry } from '../format.ts';
import styles from './country-chip.module.css';

/** Two letters in a frame: flags are missing on half of all systems and are no names. */
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
