import { Button, Skeleton } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import type { RowSelectionState } from '@tanstack/react-table';
import { ListPlus, Plus, SearchX } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useStable } from '../../components/use-stable.ts';
import { formatCount } from '../../format.ts';
import { useCurrentApp } from '../../frame/current-app.ts';
import { useWriteGuard } from '../../queries/write-guard.ts';
import { useSearchValue } from '../../search-value.ts';
import { BulkBar } from './bulk-bar.tsx';
import { useKeywordActions } from './keyword-actions.ts';
import type { ColumnId } from './keyword-columns.tsx';
import { filterKeywords, fromSorting, toSorting, useKeywordFilters } from './keyword-filters.ts';
import { KeywordTable } from './keyword-table.tsx';
import styles from './keywords-page.module.css';
import { Toolbar } from './toolbar.tsx';
import { useKeywordRows } from './use-keyword-rows.ts';

const AddKeywords = lazy(async () => ({ default: (await import('./add-keywords.tsx')).AddKeywords }));

function Waiting() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('common.loading')} className={styles.waiting}>
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} height={46} radius={0} />
      ))}
    </div>
  );
}

export function KeywordsPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const { keywords, total, waiting, isPending, error, refetch, hasNextPage } = useKeywordRows(appId);
  const { filters, change } = useKeywordFilters();
  const actions = useKeywordActions(appId);
  const { canWrite, reason } = useWriteGuard();
  const [adding, addDialog] = useDisclosure(false);
  const [selection, setSelection] = useState<RowSelectionState>({});
  const [hidden, setHidden] = useLocalStorage<ColumnId[]>({ key: 'toprung.columns', defaultValue: [] });

  const sorting = useMemo(() => toSorting(filters.sort), [filters.sort]);
  const { q, state, tag, country } = filters;
  const shown = useDeferredValue(useMemo(() => filterKeywords(keywords, { q, state, tag, country }), [keywords, q, state, tag, country]));
  const tags = useMemo(() => [...new Set(keywords.flatMap((keyword) => keyword.tags))].toSorted(), [keywords]);
  const countries = useMemo(() => [...new Set(keywords.map((keyword) => keyword.country))], [keywords]);
  const selected = useMemo(() => shown.filter((keyword) => selection[String(keyword.id)]), [shown, selection]);
  const setFavorite = (keyword: Keyword) => actions.update.mutate({ keywords: [keyword], set: { favorite: !keyword.favorite }, silent: true });

  const startCountries = country ? [country] : countries.length > 0 ? countries.slice(0, 1) : app ? [app.primaryCountry] : [];
  const [wasOpened, setOpened] = useState(false);
  const [asked, setAsked] = useSearchValue('add');
  const openDialog = () => {
    setOpened(true);
    addDialog.open();
  };
  // Asked for from elsewhere, by the address.
  const openAsAsked = useStable(() => {
    setAsked(null);
    openDialog();
  });
  useEffect(() => {
    if (asked && !isPending && canWrite) openAsAsked();
  }, [asked, isPending, canWrite, openAsAsked]);

  const counted =
    shown.length === keywords.length
      ? t('keywords.count', { count: keywords.length, shown: formatCount(keywords.length) })
      : t('keywords.filtered', { shown: formatCount(shown.length), all: formatCount(keywords.length) });
  const lead = isPending
    ? ' '
    : [
        counted,
        hasNextPage && total ? t('keywords.loading', { total: formatCount(total) }) : '',
        !hasNextPage && total !== null && total > keywords.length ? t('keywords.capped', { total: formatCount(total) }) : '',
        waiting > 0 ? t('keywords.waiting', { count: waiting }) : '',
      ]
        .filter(Boolean)
        .join(' · ');
  return (
    <>
      <PageHead
        title={t('keywords.title')}
        tab={app ? `${t('keywords.title')} · ${app.displayName ?? app.name}` : t('keywords.title')}
        lead={
          <span role="status" className="num">
            {lead}
          </span>
        }
      >
        {!(error && keywords.length === 0) && (
          <Button leftSection={<Plus size={16} aria-hidden />} disabled={!canWrite} title={reason} onClick={openDialog}>
            {t('keywords.add')}
          </Button>
        )}
      </PageHead>
      {error && keywords.length === 0 && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {isPending && <Waiting />}
      {!isPending && !error && keywords.length === 0 && (
        <div className={styles.surface}>
          <EmptyState icon={ListPlus} title={t('keywords.emptyTitle')} text={t('keywords.emptyText')}>
            <Button disabled={!canWrite} title={reason} onClick={openDialog}>
              {t('keywords.addFirst')}
            </Button>
          </EmptyState>
        </div>
      )}
      {keywords.length > 0 && (
        <>
          <Toolbar filters={filters} onChange={change} tags={tags} hidden={hidden} onHidden={setHidden} />
          {shown.length === 0 ? (
            <div className={styles.surface}>
              <EmptyState icon={SearchX} title={t('keywords.noneTitle')} text={t('keywords.noneText')}>
                <Button variant="default" onClick={() => change({ q: undefined, state: undefined, tag: undefined, country: undefined })}>
                  {t('toolbar.reset')}
                </Button>
              </EmptyState>
            </div>
          ) : (
            <KeywordTable
              keywords={shown}
              hidden={hidden}
              sorting={sorting}
              onSorting={(next) => change({ sort: fromSorting(next) })}
              selection={selection}
              onSelection={setSelection}
              onFavorite={setFavorite}
            />
          )}
          {selected.length > 0 ? (
            <BulkBar selected={selected} tags={tags} actions={actions} onClear={() => setSelection({})} />
          ) : (
            <p className={styles.hint}>{t('keywords.keys')}</p>
          )}
        </>
      )}
      {wasOpened && (
        <Suspense>
          <AddKeywords appId={appId} initialCountries={startCountries} knownTags={tags} opened={adding} onClose={addDialog.close} />
        </Suspense>
      )}
    </>
  );
}
