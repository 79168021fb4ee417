import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Swords } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { CountryChip } from '../../components/country-chip.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { HeatPosition, heatOrder } from '../../components/heat-position.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatCount, formatList } from '../../format.ts';
import { formatPosition } from '../../../../src/lib/format-position.ts';
import {
  newestPlacesQuery,
  ownPlacesQuery,
  type LatestPlace,
  type RivalPlace,
} from '../../queries/competition.ts';
import { rivalsQuery, type Rival } from '../../queries/rivals.ts';
import { readScope } from '../../scope.ts';
import styles from './competitors-page.module.css';

const mostRivals = 8;
type Place = Pick<RivalPlace, 'position' | 'depth'> | null | undefined;

/** Who stands where on which keyword: a number in a cell as warm as the place is good. */
export function MatrixTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { country } = readScope(useSearch({ strict: false }));
  const rivals = useQuery(rivalsQuery(appId));
  const own = useQuery(ownPlacesQuery(appId, country));
  return (
    <Card title={t('competitors.tab.matrix')} lead={t('competitors.matrixLead')}>
      <Loaded query={rivals} height={420}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={Swords}
              title={t('competitors.emptyTitle')}
              text={t('competitors.emptyText')}
            />
          ) : (
            <Loaded query={own} height={420}>
              {(places) => (
                <Matrix appId={appId} rivals={items} keywords={places.items} total={places.total} />
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
  rivals: Rival[];
  keywords: LatestPlace[];
  total: number | null;
}

function Matrix({ appId, rivals: all, keywords, total }: MatrixProps) {
  const { t } = useTranslation();
  const today = new Date().toISOString().slice(0, 10);
  const rivals = all.slice(0, mostRivals);
  const read = useQueries({ queries: rivals.map(({ id }) => newestPlacesQuery(appId, id, today)) });
  const placeOf = (index: number, { keywordId }: LatestPlace): Place =>
    read[index]?.data?.get(keywordId);
  const columns: DataColumn<LatestPlace>[] = [
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: ({ keywordId, phrase, country }) => (
        <span className={styles.keyword}>
          <Link to="/keywords/$keywordId" params={{ keywordId: String(keywordId) }}>
            <bdi>{phrase}</bdi>
          </Link>
          <CountryChip code={country} />
        </span>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    { id: 'own', head: t('competitors.own'), ...columnOf((keyword) => keyword.latest) },
    ...rivals.map((rival, index): DataColumn<LatestPlace> => ({
      id: `r${rival.id}`,
      head: rival.name,
      isName: true,
      ...columnOf((keyword) => placeOf(index, keyword), stateOf(read[index])),
    })),
  ];
  const failed = read.flatMap((query, index) =>
    query.data === undefined && query.error ? [{ query, name: rivals[index]!.name }] : [],
  );
  const retry = () => failed.forEach(({ query }) => void query.refetch());
  const known = keywords.filter((keyword) =>
    rivals.some((_, index) => placeOf(index, keyword)),
  ).length;
  return (
    <>
      <p className={styles.coverage}>
        {t('competitors.matrixCoverage', {
          known: formatCount(known),
          shown: formatCount(keywords.length),
          total: formatCount(total ?? keywords.length),
        })}
        {all.length > rivals.length &&
          ` ${t('competitors.matrixFirst', { shown: formatCount(rivals.length), total: formatCount(all.length) })}`}
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

/** Not read is not the same as not known. */
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

/** What is not known stands last. */
function columnOf(
  placeOf: (keyword: LatestPlace) => Place,
  state: ReadState = 'read',
): Pick<DataColumn<LatestPlace>, 'cell' | 'sortBy' | 'csv' | 'isEnd'> {
  return {
    cell: (keyword) =>
      state === 'read' ? (
        <HeatPosition cell={placeOf(keyword) ?? null} />
      ) : (
        <Unread state={state} />
      ),
    sortBy: (keyword) => {
      const place = placeOf(keyword);
      return place ? heatOrder(place) : null;
    },
    csv: (keyword) => {
      const place = placeOf(keyword);
      return place ? formatPosition(place) : null;
    },
    isEnd: true,
  };
}
