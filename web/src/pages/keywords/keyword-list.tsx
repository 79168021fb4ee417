import { Button } from '@mantine/core';
import type { RowSelectionState } from '@tanstack/react-table';
import { SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { singleKeys } from '#web/keys/listen.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { useStored } from '#web/stored.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useKeywordActions } from './keyword-actions.ts';
import {
  serializeSorting,
  noFilters,
  parseSorting,
  type ChangeKeywordFilters,
  type KeywordFilters,
} from './keyword-filters.ts';
import { KeywordPivot } from './keyword-pivot.tsx';
import { KeywordTable } from './keyword-table.tsx';
import styles from './keywords-page.module.css';
import { Toolbar } from './toolbar.tsx';
import { useShownColumns } from './use-shown-columns.ts';

const views = ['table', 'pivot'] as const;

interface Props {
  appId: number;
  /** Rows that match the filters. */
  shown: Keyword[];
  isLoading: boolean;
  countries: readonly string[];
  /** Whether a keyword is on another device than the first one of the store. */
  hasOtherDevices: boolean;
  tags: string[];
  filters: KeywordFilters;
  onChange: ChangeKeywordFilters;
}

/** Keywords as a table, or as a pivot of phrases by country. */
export function KeywordList({
  appId,
  shown,
  isLoading,
  countries,
  hasOtherDevices,
  tags,
  filters,
  onChange,
}: Props) {
  const { t } = useTranslation();
  const [view] = useSearchChoice('view', views);
  const actions = useKeywordActions(appId);
  const { columns, toggle } = useShownColumns(filters, onChange);
  const [selection, setSelection] = useState<RowSelectionState>({});
  const sorting = useMemo(() => parseSorting(filters.sort), [filters.sort]);
  const selected = useMemo(
    () => shown.filter((keyword) => selection[String(keyword.id)]),
    [shown, selection],
  );
  const setFavorite = (keyword: Keyword) =>
    actions.update.mutate({
      keywords: [keyword],
      set: { favorite: !keyword.favorite },
      silent: true,
    });
  const isPivot = view === 'pivot';
  const hasSingleKeys = useStored(singleKeys);
  return (
    <>
      <TabLinks
        label={t('keywords.view')}
        name="view"
        isOneList
        tabs={views.map((id) => ({ id, label: t(`keywords.view.${id}`) }))}
        current={view}
      />
      <Toolbar
        filters={filters}
        onChange={onChange}
        tags={tags}
        countries={countries}
        hasOtherDevices={hasOtherDevices}
        columns={columns}
        onColumn={toggle}
        isPivot={isPivot}
      />
      {shown.length === 0 && (
        <div className={styles.surface}>
          <EmptyState icon={SearchX} title={t('keywords.noneTitle')} text={t('keywords.noneText')}>
            <Button
              variant="default"
              onClick={() => onChange({ ...noFilters, country: undefined, device: undefined })}
            >
              {t('toolbar.reset')}
            </Button>
          </EmptyState>
        </div>
      )}
      {shown.length > 0 && isPivot && (
        <KeywordPivot
          keywords={shown}
          isLoading={isLoading}
          appId={appId}
          hasOtherDevices={hasOtherDevices}
        />
      )}
      {shown.length > 0 && !isPivot && (
        <KeywordTable
          keywords={shown}
          isLoading={isLoading}
          columns={columns}
          sorting={sorting}
          onSorting={(next) => onChange({ sort: serializeSorting(next) })}
          selection={selection}
          onSelection={setSelection}
          onFavorite={setFavorite}
        />
      )}
      {!isPivot &&
        (selected.length > 0 ? (
          <BulkBar
            appId={appId}
            selected={selected}
            tags={tags}
            actions={actions}
            columns={columns}
            onClear={() => setSelection({})}
          />
        ) : (
          <p className={styles.hint} data-print="hidden">
            {t(hasSingleKeys ? 'keywords.keys' : 'keywords.arrowKeys')}
          </p>
        ))}
    </>
  );
}
