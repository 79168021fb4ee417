import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Swords } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { HeatPosition, heatOrder } from '#web/components/heat-position.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatList } from '#web/format.ts';
import { formatPosition } from '#lib/format-position.ts';
import {
  latestCompetitorRankingsQuery,
  latestRankingsQuery,
  type LatestRanking,
  type CompetitorRanking,
} from '#web/queries/competitor-analysis.ts';
import { competitorsQuery, type Competitor } from '#web/queries/competitors.ts';
import { marketOf } from '#web/scope.ts';
import styles from './competitors-page.module.css';
import { useScope } from '#web/frame/use-scope.ts';

const maxCompetitors = 8;
type Found = Pick<CompetitorRanking, 'position' | 'depth'> | null | undefined;

/** The positions of all competitors for each keyword, as a heat map. */
export function MatrixTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const market = marketOf(useScope());
  const competitors = useQuery(competitorsQuery(appId));
  const own = useQuery(latestRankingsQuery(appId, market));
  return (
    <Card title={t('competitors.tab.matrix')} lead={t('competitors.matrixLead')}>
      <Loaded query={competitors} height={420}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={Swords}
              title={t('competitors.emptyTitle')}
              text={t('competitors.emptyText')}
            />
          ) : (
            <Loaded query={own} height={420}>
              {(rankings) => (
                <Matrix
                  appId={appId}
                  competitors={items}
                  keywords={rankings.items}
                  total={rankings.total}
                />
              )}
            </Loaded>
          )
        }
      </Loaded>
    </Card>
  );
}

interface MatrixProps {
  appId: number;
  competitors: Competitor[];
  keywords: LatestRanking[];
  total: number | null;
}

function Matrix({ appId, competitors: all, keywords, total }: MatrixProps) {
  const { t } = useTranslation();
  const today = new Date().toISOString().slice(0, 10);
  const competitors = all.slice(0, maxCompetitors);
  const read = useQueries({
    queries: competitors.map(({ id }) => latestCompetitorRankingsQuery(appId, id, today)),
  });
  const positionOf = (index: number, { keywordId }: LatestRanking): Found =>
    read[index]?.data?.get(keywordId);
  const columns: DataColumn<LatestRanking>[] = [
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: ({ keywordId, phrase, country, device }) => (
        <span className={styles.keyword}>
          <Link to="/keywords/$keywordId" params={{ keywordId: String(keywordId) }}>
            <bdi>{phrase}</bdi>
          </Link>
          <MarketChip of={{ country, device }} />
        </span>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    { id: 'own', head: t('competitors.own'), ...columnOf((keyword) => keyword.latest) },
    ...competitors.map((competitor, index): DataColumn<LatestRanking> => ({
      id: `r${competitor.id}`,
      head: competitor.name,
      isName: true,
      ...columnOf((keyword) => positionOf(index, keyword), stateOf(read[index])),
    })),
  ];
  const failed = read.flatMap((query, index) =>
    query.data === undefined && query.error ? [{ query, name: competitors[index]!.name }] : [],
  );
  const retry = () => failed.forEach(({ query }) => void query.refetch());
  const known = keywords.filter((keyword) =>
    competitors.some((_, index) => positionOf(index, keyword)),
  ).length;
  return (
    <>
      <p className={styles.coverage}>
        {t('competitors.matrixCoverage', {
          known: formatCount(known),
          shown: formatCount(keywords.length),
          total: formatCount(total ?? keywords.length),
        })}
        {all.length > competitors.length && (
          <>
            {' '}
            {t('competitors.matrixFirst', {
              shown: formatCount(competitors.length),
              total: formatCount(all.length),
            })}
          </>
        )}
      </p>
      {failed[0] && (
        <ErrorNotice
          error={failed[0].query.error}
          title={t('competitors.matrixFailed', {
            names: formatList(failed.map(({ name }) => name)),
          })}
          onRetry={retry}
        />
      )}
      <DataTable
        label={t('competitors.tab.matrix')}
        rows={keywords}
        columns={columns}
        keyOf={({ keywordId }) => keywordId}
        initialSort="own"
        fileName={`competitor-matrix-${appId}`}
      />
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
  positionOf: (keyword: LatestRanking) => Found,
  state: ReadState = 'read',
): Pick<DataColumn<LatestRanking>, 'cell' | 'sortBy' | 'csv' | 'isEnd'> {
  return {
    cell: (keyword) =>
      state === 'read' ? (
        <HeatPosition cell={positionOf(keyword) ?? null} />
      ) : (
        <Unread state={state} />
      ),
    sortBy: (keyword) => {
      const found = positionOf(keyword);
      return found ? heatOrder(found) : null;
    },
    csv: (keyword) => {
      const found = positionOf(keyword);
      return found ? formatPosition(found) : null;
    },
    isEnd: true,
  };
}
