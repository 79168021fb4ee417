import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { formatCount, formatShare } from '../../format.ts';
import type { InstanceCapacity } from '../../queries/operator.ts';
import styles from './operator-page.module.css';

/** Who asks most of the stores. */
export function ConsumersCard({ consumers }: { consumers: InstanceCapacity['consumers'] }) {
  const { t } = useTranslation();
  return (
    <Card title={t('operator.consumers')} lead={t('operator.consumersLead')}>
      <DataTable
        label={t('operator.consumersTable')}
        rows={consumers}
        keyOf={(row) => row.workspaceId}
        initialSort="-requests"
        columns={[
          {
            id: 'name',
            head: t('operator.workspace'),
            cell: (row) => (
              <>
                <Link
                  to="/operator"
                  search={(before) => ({
                    ...before,
                    tab: undefined,
                    sort: undefined,
                    search: row.name,
                  })}
                >
                  {row.name}
                </Link>
                <span className={styles.small}>{row.owners.join(', ')}</span>
              </>
            ),
            sortBy: (row) => row.name,
          },
          {
            id: 'state',
            head: t('operator.state'),
            cell: (row) => t(`operator.state.${row.state}`),
            sortBy: (row) => row.state,
          },
          {
            id: 'plan',
            head: t('operator.plan'),
            cell: (row) => (row.plan ? t(`planName.${row.plan}`) : '–'),
            sortBy: (row) => row.plan,
          },
          {
            id: 'markets',
            head: t('operator.column.keywords'),
            isEnd: true,
            cell: (row) => formatCount(row.keywordMarkets),
            sortBy: (row) => row.keywordMarkets,
          },
          {
            id: 'requests',
            head: t('operator.requestsOfDay'),
            isEnd: true,
            cell: (row) => formatCount(Math.round(row.requestsPerDay)),
            sortBy: (row) => row.requestsPerDay,
          },
          {
            id: 'share',
            head: t('operator.share'),
            isEnd: true,
            cell: (row) => formatShare(row.share),
            sortBy: (row) => row.share,
          },
        ]}
      />
    </Card>
  );
}
