import { Button, Menu } from '@mantine/core';
import { Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { compareText, formatCountry } from '../../format.ts';
import styles from './toolbar.module.css';

interface Props {
  /** Those that the app is followed in. */
  countries: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

const mostNamed = 3;

/** Several countries at once; the frame has the choice of one. */
export function CountryChoice({ countries, chosen, onChange }: Props) {
  const { t } = useTranslation();
  const named = chosen.map((code) => code.toUpperCase()).join(', ');
  const label =
    chosen.length === 0
      ? t('toolbar.allCountries')
      : chosen.length > mostNamed
        ? t('toolbar.countries', { count: chosen.length })
        : named;
  const items = countries
    .map((code) => ({ code, name: formatCountry(code) }))
    .toSorted((a, b) => compareText(a.name, b.name));
  return (
    <Menu closeOnItemClick={false} position="bottom-start" width={230}>
      <Menu.Target>
        <Button
          variant="default"
          className={styles.countries}
          leftSection={<Globe size={15} aria-hidden />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.long}>
        {items.map(({ code, name }) => (
          <Menu.CheckboxItem
            key={code}
            checked={chosen.includes(code)}
            onChange={(isOn) =>
              onChange(isOn ? [...chosen, code] : chosen.filter((other) => other !== code))
            }
          >
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
