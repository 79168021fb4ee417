import { Button, Menu } from '@mantine/core';
import { Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { compareText, formatCountry } from '#web/format.ts';
import styles from './toolbar.module.css';

interface Props {
  /** Countries with tracked keywords. */
  countries: readonly string[];
  chosen: readonly string[];
  onToggle: (code: string) => void;
}

const maxNamed = 3;

/** Selects several countries. The frame selects one. */
export function CountryChoice({ countries, chosen, onToggle }: Props) {
  const { t } = useTranslation();
  const named = chosen.map((code) => code.toUpperCase()).join(', ');
  const label =
    chosen.length === 0
      ? t('toolbar.allCountries')
      : chosen.length > maxNamed
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
            onChange={() => onToggle(code)}
          >
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
