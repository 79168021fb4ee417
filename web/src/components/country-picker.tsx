import { MultiSelect } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { commonCountries, storeCountries } from '../countries.ts';
import { compareText, formatCountry } from '../format.ts';

interface Props {
  label: string;
  description?: ReactNode;
  value: string[];
  onChange: (value: string[]) => void;
  /** No choice here. */
  without?: string;
  most?: number;
}

export function CountryPicker({ label, description, value, onChange, without, most }: Props) {
  const { t } = useTranslation();
  const data = useMemo(() => {
    const toItem = (code: string) => ({ value: code, label: formatCountry(code) });
    const isOffered = (code: string) => code !== without;
    const others = storeCountries
      .filter((code) => !commonCountries.includes(code) && isOffered(code))
      .map(toItem)
      .toSorted((a, b) => compareText(a.label, b.label));
    return [
      { group: t('countries.common'), items: commonCountries.filter(isOffered).map(toItem) },
      { group: t('countries.all'), items: others },
    ];
  }, [t, without]);
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? t('countries.placeholder') : undefined}
      data={data}
      value={value}
      onChange={onChange}
      maxValues={most}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={t('countries.none')}
      clearButtonProps={{ 'aria-label': t('countries.clear') }}
      maxDropdownHeight={260}
    />
  );
}
