import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { AppIcon } from '#web/components/app-icon.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatProvider } from '#web/components/format-provider.ts';
import { PositionText } from '#web/components/position-text.tsx';
import type { ProviderComparison } from '#web/queries/providers.ts';
import styles from './provider-card.module.css';

type Row = ProviderComparison['items'][number];

/** The apps with their position by each provider that responded. */
export function ProviderTable({ comparison }: { comparison: ProviderComparison }) {
  const { t } = useTranslation();
  const columns = buildColumns(comparison, t);
  return (
    <div className={styles.table}>
      <DataTable
        label={t('providers.table')}
        rows={comparison.items}
        columns={columns}
        keyOf={(row) => row.storeAppId}
        initialSort={columns[1]?.id ?? 'app'}
        sortName="providers"
        fileName={`search-providers-${comparison.keywordId}`}
      />
    </div>
  );
}

function buildColumns({ store, searches }: ProviderComparison, t: TFunction): DataColumn<Row>[] {
  const responded = searches.flatMap((search, index) =>
    search.state === 'ok' ? [{ ...search, index }] : [],
  );
  const [a, b] = responded;
  const nameOf = (row: Row) => row.name ?? row.storeAppId;
  /** The columns are those of the distance: the first two providers that responded. */
  const difference = (row: Row): number | null => {
    const [one, other] = [a, b].map((search) => (search ? row.positions[search.index] : null));
    return one == null || other == null ? null : Math.abs(one - other);
  };
  return [
    {
      id: 'app',
      head: t('providers.app'),
      sortBy: nameOf,
      cell: (row) => (
        <span className={styles.app} data-own={row.isOwn || undefined}>
          <AppIcon name={nameOf(row)} store={store} iconUrl={row.iconUrl} size={26} />
          <span className={styles.names}>
            <bdi className={styles.name} title={nameOf(row)}>
              {nameOf(row)}
            </bdi>
            {(row.isOwn || row.isCompetitor) && (
              <span className={styles.mark}>{t(row.isOwn ? 'serp.own' : 'serp.competitor')}</span>
            )}
          </span>
        </span>
      ),
    },
    ...responded.map(({ provider, depth, index }): DataColumn<Row> => ({
      id: provider,
      head: formatProvider(store, provider, t),
      isEnd: true,
      sortBy: (row) => row.positions[index] ?? null,
      cell: (row) => (
        <PositionText cell={{ position: row.positions[index] ?? null, depth }} size="sm" />
      ),
    })),
    ...(b
      ? [
          {
            id: 'difference',
            head: t('providers.difference'),
            isEnd: true,
            sortBy: difference,
            cell: (row: Row) => difference(row) ?? <span className="muted">–</span>,
          },
        ]
      : []),
  ];
}
