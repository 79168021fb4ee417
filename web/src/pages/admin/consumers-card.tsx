import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { formatCount, formatShare } from '#web/format.ts';
import type { InstanceCapacity } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';

export function ConsumersCard({ consumers }: { consumers: InstanceCapacity['consumers'] }) {
  const { t } = useTranslation();
  return (
    <Card title={t('admin.consumers')} lead={t('admin.consumersLead')}>
      <DataTable
        label={t('admin.consumers')}
        rows={consumers}
        keyOf={(row) => row.workspaceId}
        initialSort="-requests"
        columns={[
          {
            id: 'name',
            head: t('admin.workspace'),
            cell: (row) => (
              <>
                <Link
                  to="/admin"
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
            head: t('admin.state'),
            cell: (row) => t(`admin.state.${row.state}`),
            sortBy: (row) => row.state,
          },
          {
            id: 'plan',
            head: t('admin.plan'),
            cell: (row) => (row.plan ? t(`planName.${row.plan}`) : '–'),
            sortBy: (row) => row.plan,
          },
          {
            id: 'markets',
            head: t('admin.column.keywords'),
            isEnd: true,
            cell: (row) => formatCount(row.keywordMarkets),
            sortBy: (row) => row.keywordMarkets,
          },
          {
            id: 'requests',
            head: t('admin.requestsOfDay'),
            isEnd: true,
            cell: (row) => formatCount(Math.round(row.requestsPerDay)),
            sortBy: (row) => row.requestsPerDay,
          },
          {
            id: 'share',
            head: t('admin.share'),
            isEnd: true,
            cell: (row) => formatShare(row.share),
            sortBy: (row) => row.share,
          },
        ]}
      />
    </Card>
  );
}
