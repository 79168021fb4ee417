import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { Search, SlidersHorizontal, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchText } from '#web/search-text.ts';
import { toggleItem } from '#web/search-value.ts';
import { ColumnChoice } from './column-choice.tsx';
import { CountryChoice } from './country-choice.tsx';
import { optionalColumns, type ColumnId } from './keyword-columns.tsx';
import {
  noFilters,
  positionFilters,
  type ChangeKeywordFilters,
  type KeywordFilters,
} from './keyword-filters.ts';
import styles from './toolbar.module.css';

interface Props {
  filters: KeywordFilters;
  onChange: ChangeKeywordFilters;
  tags: string[];
  countries: readonly string[];
  /** Lists the device among the columns. */
  hasOtherDevices: boolean;
  columns: readonly ColumnId[];
  onColumn: (toggled: ColumnId) => void;
  /** Shows countries as columns. */
  isPivot: boolean;
}

const mobileOrders = [
  'position',
  '-position',
  '-change1d',
  '-change7d',
  'change7d',
  '-change30d',
  '-opportunity',
  '-traffic',
  '-published',
  'difficulty',
  'phrase',
  '-checked',
] as const;

const readCountries = ({ countries }: KeywordFilters) => countries?.split(',') ?? [];

export function Toolbar({
  filters,
  onChange,
  tags,
  countries,
  hasOtherDevices,
  columns,
  onColumn,
  isPivot,
}: Props) {
  const { t } = useTranslation();
  const {
    text: q,
    type,
    clear,
  } = useSearchText(filters.q ?? '', (text) => onChange({ q: text || undefined }), 200);
  const chosen = readCountries(filters);
  const id = useId();
  // On a phone the fields below the search are behind a button.
  const [isOpen, setOpen] = useState(false);
  const isFiltered = Boolean(filters.q || filters.state || filters.tag || filters.countries);
  return (
    <div className={styles.bar} role="search" aria-label={t('toolbar.label')}>
      <TextInput
        className={styles.search}
        data-search
        aria-label={t('toolbar.search')}
        placeholder={t('toolbar.search')}
        leftSection={<Search size={15} aria-hidden />}
        rightSection={
          q ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={t('toolbar.clearSearch')}
              onClick={clear}
            >
              <X size={14} aria-hidden />
            </ActionIcon>
          ) : null
        }
        value={q}
        maxLength={100}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <ActionIcon
        className={styles.toggle}
        variant={isFiltered ? 'light' : 'default'}
        aria-label={t('toolbar.filters')}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <SlidersHorizontal size={17} aria-hidden />
      </ActionIcon>
      <div id={id} className={styles.fields} data-folded={!isOpen || undefined}>
        <Select
          className={styles.pick}
          aria-label={t('toolbar.position')}
          value={filters.state ?? 'all'}
          data={['all' as const, ...positionFilters].map((value) => ({
            value,
            label: t(`positionFilter.${value}`),
          }))}
          onChange={(value) =>
            onChange({ state: positionFilters.find((filter) => filter === value) })
          }
          allowDeselect={false}
        />
        {tags.length > 0 && (
          <Select
            className={styles.pick}
            aria-label={t('toolbar.tag')}
            value={filters.tag ?? ''}
            data={[
              { value: '', label: t('toolbar.anyTag') },
              ...tags.map((tag) => ({ value: tag, label: tag })),
            ]}
            onChange={(value) => onChange({ tag: value || undefined })}
            allowDeselect={false}
            searchable={tags.length > 8}
          />
        )}
        {!filters.country && countries.length > 1 && (
          <CountryChoice
            countries={countries}
            chosen={chosen}
            onToggle={(code) =>
              onChange((latest) => ({
                countries: toggleItem(readCountries(latest), code).join(',') || undefined,
              }))
            }
          />
        )}
        {!isPivot && (
          <Select
            className={styles.order}
            aria-label={t('toolbar.order')}
            value={filters.sort ?? 'position'}
            data={mobileOrders.map((value) => ({ value, label: t(`order.${value}`) }))}
            onChange={(value) =>
              onChange({ sort: value === 'position' ? undefined : (value ?? undefined) })
            }
            allowDeselect={false}
          />
        )}
        {isFiltered && (
          <Button
            variant="subtle"
            size="sm"
            className="touch"
            onClick={() => {
              clear();
              onChange(noFilters);
            }}
          >
            {t('toolbar.reset')}
          </Button>
        )}
        {!isPivot && (
          <ColumnChoice
            offered={optionalColumns.filter((id) => id !== 'device' || hasOtherDevices)}
            columns={columns}
            onToggle={onColumn}
          />
        )}
      </div>
    </div>
  );
}
