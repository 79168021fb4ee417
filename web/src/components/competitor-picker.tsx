import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  competitors: readonly { id: number; name: string }[];
  picked: readonly number[];
  onChange: (picked: number[]) => void;
  /** The most at once. */
  most: number;
}

/** Selects some of many competitors by name. */
export function CompetitorPicker({ competitors, picked, onChange, most }: Props) {
  const { t } = useTranslation();
  return (
    <MultiSelect
      aria-label={t('competitorPicker.label')}
      placeholder={picked.length === 0 ? t('competitorPicker.placeholder', { most }) : undefined}
      data={competitors.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={picked.map(String)}
      onChange={(values) => onChange(values.map(Number))}
      maxValues={most}
      limit={100}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={t('table.empty')}
      clearButtonProps={{ 'aria-label': t('competitorPicker.clear') }}
      maxDropdownHeight={260}
    />
  );
}
