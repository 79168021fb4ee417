import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { Card } from '#web/components/card.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { formatFieldSource } from '#web/components/format-field-source.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { formatCount, formatDay, formatInstant, formatShare } from '#web/format.ts';
import { adminFieldsQuery, type AdminField } from '#web/queries/admin.ts';

function Drift({ drift }: Pick<AdminField, 'drift'>) {
  const { t } = useTranslation();
  if (drift === null) return <span className="muted">–</span>;
  return drift.endedAt === null ? (
    <State tone="warn">{t('admin.fieldDrifts', { at: formatInstant(drift.beganAt) })}</State>
  ) : (
    <State tone="off">{t('admin.fieldRecovered', { at: formatInstant(drift.endedAt) })}</State>
  );
}

/** How often the fields of the newest day's responses had a value. */
export function FieldsCard() {
  const { t } = useTranslation();
  const query = useQuery(adminFieldsQuery);
  const date = query.data?.items[0]?.date;
  const title = date ? t('admin.fieldsOf', { day: formatDay(date) }) : t('admin.fields');
  return (
    <Card title={title} lead={t('admin.fieldsLead')}>
      <Loaded query={query} height={320}>
        {({ items }) => (
          <DataTable
            label={t('admin.fields')}
            rows={items}
            keyOf={({ store, source, provider, field }) =>
              [store, source, provider, field].join(' ')
            }
            initialSort="-lost"
            sortName="fields"
            fileName="fields"
            columns={[
              {
                id: 'store',
                head: t('admin.store'),
                cell: ({ store }) => profileOf(store).name,
                sortBy: ({ store }) => profileOf(store).name,
              },
              {
                id: 'source',
                head: t('admin.fieldSource'),
                cell: (row) => formatFieldSource(row.store, row, t),
                sortBy: (row) => formatFieldSource(row.store, row, t),
              },
              {
                id: 'field',
                head: t('admin.field'),
                cell: ({ field }) => <code>{field}</code>,
                sortBy: ({ field }) => field,
              },
              {
                id: 'read',
                head: t('admin.fieldRead'),
                isEnd: true,
                cell: ({ read }) => formatCount(read),
                sortBy: ({ read }) => read,
              },
              {
                id: 'missing',
                head: t('admin.fieldMissing'),
                isEnd: true,
                cell: ({ missing }) => formatCount(missing),
                sortBy: ({ missing }) => missing,
              },
              {
                id: 'lost',
                head: t('admin.fieldLost'),
                isEnd: true,
                cell: ({ lostShare }) => (lostShare === null ? '–' : formatShare(lostShare)),
                sortBy: ({ lostShare }) => lostShare,
              },
              {
                id: 'drift',
                head: t('admin.fieldDrift'),
                cell: (row) => <Drift drift={row.drift} />,
                sortBy: ({ drift }) => drift?.beganAt ?? null,
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
