import { Button } from '@mantine/core';
import { formatCountry } from '../format.ts';
import { useCountrySets } from './country-sets.ts';

interface Props {
  label: string;
  /** The chosen countries, which need no button. */
  value: readonly string[];
  onChange: (countries: string[]) => void;
}

/** The sets of countries that were used last in this browser. */
export function CountrySetButtons({ label, value, onChange }: Props) {
  const sets = useCountrySets().filter((set) => set.join() !== value.toSorted().join());
  if (sets.length === 0) return null;
  return (
    <div
      style={{ display: 'flex', flexWrap: 'wrap', gap: '0.5rem' }}
      role="group"
      aria-label={label}
    >
      <span className="muted">{label}</span>
      {sets.map((set) => (
        <Button
          key={set.join()}
          variant="default"
          size="compact-sm"
          className="touch"
          aria-label={set.map(formatCountry).join(', ')}
          onClick={() => onChange(set)}
        >
          {set.map((code) => code.toUpperCase()).join(' ')}
        </Button>
      ))}
    </div>
  );
}
