import { MultiSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountryGroups } from './use-country-groups.ts';

interface Props {
  label: string;
  description?: ReactNode;
  value: string[];
  onChange: (value: string[]) => void;
  /** Hides these countries. */
  without?: string;
  most?: number;
}

export function CountryPicker({ label, description, value, onChange, without, most }: Props) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? t('countries.placeholder') : undefined}
      data={useCountryGroups(without)}
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
