import { Button } from '@mantine/core';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { HeatPosition, heatOrder } from '#web/components/heat-position.tsx';
import { drawDescription, drawWords, WordLegend } from '#web/components/phrase-words.tsx';
import { formatCount, formatList } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { Keyword } from '#web/api.ts';
import {
  latestCompetitorRankingsQuery,
  type CompetitorRanking,
} from '#web/queries/competitor-analysis.ts';
import type { Competitor } from '#web/queries/competitors.ts';
import { matrixPageSize } from '#web/queries/keywords.ts';
import styles from './competitors-page.module.css';

type Found = Pick<CompetitorRanking, 'position' | 'depth' | 'resultCount'> | null | undefined;

interface MatrixProps {
  appId: number;
  competitors: Competitor[];
  /** The shown ones, in whole pages. */
  keywords: Keyword[];
  matching: number;
  total: number;
  /** Set while those of another filter are loading. */
  isOutdated: boolean;
  onMore: () => void;
}

/** Positions of competitors are read for the shown keywords only. */
export function Matrix({
  appId,
  competitors,
  keywords,
  matching,
  total,
  isOutdated,
  onMore,
}: MatrixProps) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const today = new Date().toISOString().slice(0, 10);
  const pages = Array.from({ length: Math.ceil(keywords.length / matrixPageSize) }, (_, page) =>
    keywords.slice(page * matrixPageSize, (page + 1) * matrixPageSize).map(({ id }) => id),
  );
  const queries = useQueries({
    queries: competitors.flatMap(({ id }) =>
      pages.map((ids) => latestCompetitorRankingsQuery(appId, id, today, ids)),
    ),
  });
  const read = competitors.map((_, index) =>
    queries.slice(index * pages.length, (index + 1) * pages.length),
  );
  const pageOf = new Map(pages.flatMap((ids, page) => ids.map((id) => [id, page] as const)));
  const queryOf = (index: number, { id }: Keyword) => read[index]?.[pageOf.get(id) ?? -1];
  const positionOf = (index: number, keyword: Keyword): Found =>
    queryOf(index, keyword)?.data?.get(keyword.id);
  const columns: DataColumn<Keyword>[] = [
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: ({ id, phrase, words, country, device }) => (
        <span className={styles.keyword}>
          <Link to="/keywords/$keywordId" params={{ keywordId: String(id) }}>
            <bdi>{drawWords(phrase, words, t)}</bdi>
          </Link>
          {drawDescription(words, t)}
          <MarketChip of={{ country, device }} />
        </span>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    { id: 'own', head: t('competitors.own'), ...columnOf(t, (keyword) => keyword.latest) },
    ...competitors.map((competitor, index): DataColumn<Keyword> => ({
      id: `r${competitor.id}`,
      head: competitor.name,
      isName: true,
      ...columnOf(
        t,
        (keyword) => positionOf(index, keyword),
        (keyword) => stateOf(queryOf(index, keyword)),
      ),
    })),
  ];
  const failed = read.flatMap((ofCompetitor, index) =>
    ofCompetitor
      .filter((query) => query.data === undefined && query.error)
      .map((query) => ({ query, name: competitors[index]!.name })),
  );
  const failure =
    failed.length > 0
      ? t('competitors.matrixFailed', {
          names: formatList([...new Set(failed.map(({ name }) => name))]),
        })
      : undefined;
  const isPending = isOutdated || queries.some(({ data }) => data === undefined);
  const retry = () => failed.forEach(({ query }) => void query.refetch());
  return (
    <>
      {failed[0] && <ErrorNotice error={failed[0].query.error} title={failure} onRetry={retry} />}
      <DataTable
        label={t('competitors.tab.matrix')}
        rows={keywords}
        columns={columns}
        keyOf={({ id }) => id}
        initialSort="own"
        fileName={`competitor-matrix-${appId}`}
        wait={failure ?? (isPending ? t('common.loading') : undefined)}
      />
      <WordLegend store={store} />
      <p className={styles.coverage}>
        {t('competitors.matrixShown', {
          count: matching,
          shown: formatCount(keywords.length),
          matching: formatCount(matching),
          total: formatCount(total),
        })}{' '}
        {keywords.length < matching && (
          <Button className="touch" size="compact-sm" variant="light" onClick={onMore}>
            {t('competitors.matrixMore', {
              count: Math.min(matrixPageSize, matching - keywords.length),
            })}
          </Button>
        )}
      </p>
    </>
  );
}

type ReadState = 'read' | 'pending' | 'failed';

const stateOf = (query: Pick<UseQueryResult, 'data' | 'error'> | undefined): ReadState =>
  query?.data !== undefined ? 'read' : query?.error ? 'failed' : 'pending';

/** A failed request differs from an unknown position. */
function Unread({ state }: { state: Exclude<ReadState, 'read'> }) {
  const { t } = useTranslation();
  return (
    <span className="muted">
      <span aria-hidden>{state === 'pending' ? '…' : '!'}</span>
      <span className="sr-only">
        {t(state === 'pending' ? 'common.loading' : 'competitors.notRead')}
      </span>
    </span>
  );
}

/** Unknown positions are last. */
function columnOf(
  t: TFunction,
  positionOf: (keyword: Keyword) => Found,
  stateOfRow: (keyword: Keyword) => ReadState = () => 'read',
): Pick<DataColumn<Keyword>, 'cell' | 'sortBy' | 'csv' | 'isEnd'> {
  return {
    cell: (keyword) => {
      const state = stateOfRow(keyword);
      return state === 'read' ? (
        <HeatPosition cell={positionOf(keyword) ?? null} />
      ) : (
        <Unread state={state} />
      );
    },
    sortBy: (keyword) => {
      const found = positionOf(keyword);
      return found ? heatOrder(found) : null;
    },
    csv: (keyword) => {
      const found = positionOf(keyword);
      return found ? formatShortPosition(found, t) : null;
    },
    isEnd: true,
  };
}
