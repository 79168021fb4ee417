import { Button, Skeleton } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { ListPlus, Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { useStable } from '#web/components/use-stable.ts';
import { formatCount } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchValue } from '#web/search-value.ts';
import { nameOtherDevice } from '#stores/profiles.ts';
import { KeywordDialogs, type KeywordDialog } from './keyword-dialogs.tsx';
import { filterKeywords, useKeywordFilters } from './keyword-filters.ts';
import { KeywordList } from './keyword-list.tsx';
import styles from './keywords-page.module.css';
import { MoreMenu } from './more-menu.tsx';
import { RemainingKeywords } from './remaining-keywords.tsx';
import { useKeywordRows } from './use-keyword-rows.ts';

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
  const { keywords, total, waiting, isPending, error, refetch, hasNextPage } =
    useKeywordRows(appId);
  const isLoading = hasNextPage && !error;
  const { filters, change } = useKeywordFilters();
  const { canWrite, reason } = useWriteAccess();
  const { q, state, tag, country, device, countries: among } = filters;
  const shown = useDeferredValue(
    useMemo(
      () => filterKeywords(keywords, { q, state, tag, country, device, countries: among }),
      [keywords, q, state, tag, country, device, among],
    ),
  );
  const tags = useMemo(
    () => [...new Set(keywords.flatMap((keyword) => keyword.tags))].toSorted(),
    [keywords],
  );
  const countries = useMemo(
    () => [...new Set(keywords.map((keyword) => keyword.country))],
    [keywords],
  );
  const hasOtherDevices = useMemo(
    () => keywords.some((keyword) => nameOtherDevice(keyword.device) !== null),
    [keywords],
  );
  const [dialog, setDialog] = useState<KeywordDialog | null>(null);
  const [asked, setAsked] = useSearchValue('add');
  // Requested by another page through the address.
  const openRequestedDialog = useStable(() => {
    setAsked(null);
    setDialog('add');
  });
  useEffect(() => {
    if (asked && !isPending && canWrite) openRequestedDialog();
  }, [asked, isPending, canWrite, openRequestedDialog]);

  const counted =
    shown.length === keywords.length
      ? t('keywords.count', { count: keywords.length, shown: formatCount(keywords.length) })
      : t('keywords.filtered', {
          shown: formatCount(shown.length),
          all: formatCount(keywords.length),
        });
  const lead = isPending
    ? ' '
    : [
        counted,
        isLoading && total ? t('keywords.loading', { total: formatCount(total) }) : '',
        !isLoading && total !== null && total > keywords.length
          ? t('keywords.capped', { total: formatCount(total) })
          : '',
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
          <>
            <MoreMenu
              appId={appId}
              canCopy={canWrite && keywords.length > 0}
              onCopy={() => setDialog('copy')}
              onRemoved={() => setDialog('removed')}
            />
            <Button
              leftSection={<Plus size={16} aria-hidden />}
              disabled={!canWrite}
              title={reason}
              onClick={() => setDialog('add')}
            >
              {t('keywords.add')}
            </Button>
          </>
        )}
      </PageHead>
      {error && keywords.length === 0 && (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
      <RemainingKeywords appId={appId} />
      {isPending && <Waiting />}
      {!isPending && !error && keywords.length === 0 && (
        <div className={styles.surface}>
          <EmptyState
            icon={ListPlus}
            title={t('keywords.emptyTitle')}
            text={t('keywords.emptyText')}
          >
            <Button disabled={!canWrite} title={reason} onClick={() => setDialog('add')}>
              {t('keywords.addFirst')}
            </Button>
          </EmptyState>
        </div>
      )}
      {keywords.length > 0 && (
        <KeywordList
          appId={appId}
          shown={shown}
          isLoading={isLoading}
          countries={countries}
          hasOtherDevices={hasOtherDevices}
          tags={tags}
          filters={filters}
          onChange={change}
        />
      )}
      <KeywordDialogs
        appId={appId}
        keywords={keywords}
        knownTags={tags}
        country={country}
        device={device}
        initialCountries={country ? [country] : app ? [app.primaryCountry] : countries.slice(0, 1)}
        opened={dialog}
        onClose={() => setDialog(null)}
      />
    </>
  );
}
