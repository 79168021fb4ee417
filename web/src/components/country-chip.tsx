import { formatCountry } from '../format.ts';
import { Flag } from './flag.tsx';
import styles from './country-chip.module.css';

/** The flag and the code of a country. */
export function CountryChip({ code, named = false }: { code: string; named?: boolean }) {
  const name = formatCountry(code);
  return (
    <span className={styles.country} title={name}>
      <Flag code={code} />
      <span className={styles.chip} aria-hidden>
        {code.toUpperCase()}
      </span>
      <span className={named ? undefined : 'sr-only'}>{name}</span>
    </span>
  );
}
