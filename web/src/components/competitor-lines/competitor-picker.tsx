import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  competitors: readonly { id: number; name: string }[];
  picked: readonly number[];
  onPick: (id: number) => void;
  /** The most at once. */
  most: number;
  hasFocus?: boolean;
}

/** Adds one of many competitors to those that are shown, by name. */
export function CompetitorPicker({ competitors, picked, onPick, most, hasFocus = false }: Props) {
  const { t } = useTranslation();
  const isFull = picked.length >= most;
  return (
    <Select
      aria-label={t('competitorPicker.label')}
      placeholder={t(isFull ? 'competitorPicker.full' : 'competitorPicker.placeholder', { most })}
      data={competitors
        .filter(({ id }) => !picked.includes(id))
        .map(({ id, name }) => ({ value: String(id), label: name }))}
      value={null}
      onChange={(value) => value !== null && onPick(Number(value))}
      disabled={isFull}
      limit={100}
      searchable
      autoFocus={hasFocus}
      nothingFoundMessage={t('table.empty')}
      maxDropdownHeight={260}
    />
  );
}
