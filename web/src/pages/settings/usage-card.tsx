import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatDay, formatInstant } from '#web/format.ts';
import { usageQuery, type Usage } from '#web/queries/workspace.ts';
import { spanOf } from '#web/scope.ts';
import { useSearchChoice } from '#web/search-value.ts';
import styles from './settings-page.module.css';
import { buildUsageChart, usageClasses } from './usage-chart.ts';

const periods = ['30', '7', '90'] as const;

function DaysCard({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const [period, setPeriod] = useSearchChoice('period', periods);
  const spec = useMemo(() => buildUsageChart(usage.days, t), [usage.days, t]);
  const total = usage.days.reduce((sum, day) => sum + day.total, 0);
  return (
    <ChartCard
      title={t('usage.title')}
      lead={t('usage.lead', { count: total, shown: formatCount(total) })}
      label={t('usage.chart', {
        shown: formatCount(total),
        from: formatDay(usage.from),
        to: formatDay(usage.to),
      })}
      fileName="api-usage"
      spec={spec}
      height={240}
      legend={
        <ul className={styles.legend}>
          {usageClasses.map((name, at) => (
            <li key={name}>
              <span style={{ background: `var(--tr-series-${at + 1})` }} aria-hidden />
              {t(`usage.${name}`)}
            </li>
          ))}
        </ul>
      }
      action={
        <SegmentedControl
          size="xs"
          aria-label={t('usage.period')}
          value={period}
          onChange={(value) => setPeriod(periods.find((candidate) => candidate === value) ?? '30')}
          data={['7', '30', '90'].map((value) => ({
            value,
            label: t('usage.days', { count: Number(value) }),
          }))}
        />
      }
      table={{
        head: [t('usage.day'), ...usageClasses.map((name) => t(`usage.${name}`)), t('usage.total')],
        rows: usage.days
          .toReversed()
          .map((day) => [day.date, ...usageClasses.map((name) => day[name]), day.total]),
      }}
    />
  );
}

function AllowancesCard({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  return (
    <Card title={t('usage.allowances')} lead={t('usage.allowancesLead')}>
      <DataTable
        label={t('usage.allowances')}
        rows={usage.onDemand}
        keyOf={(row) => row.kind}
        columns={[
          { id: 'kind', head: t('usage.kind'), cell: (row) => t(`usage.${row.kind}`) },
          { id: 'used', head: t('usage.used'), isEnd: true, cell: (row) => formatCount(row.used) },
          {
            id: 'limit',
            head: t('usage.limit'),
            isEnd: true,
            cell: (row) =>
              row.limit === null
                ? t('usage.unlimited')
                : t(`usage.per.${row.window}`, { shown: formatCount(row.limit) }),
          },
          {
            id: 'reset',
            head: t('usage.reset'),
            isEnd: true,
            cell: (row) => formatInstant(row.resetAt),
          },
        ]}
      />
    </Card>
  );
}

function TokensUsage({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  return (
    <Card title={t('usage.tokens')} lead={t('usage.tokensLead')}>
      <DataTable
        label={t('usage.tokens')}
        rows={usage.tokens}
        keyOf={(row) => row.tokenId ?? 0}
        initialSort="-total"
        columns={[
          {
            id: 'name',
            head: t('usage.token'),
            cell: (row) =>
              row.tokenId === null
                ? t('usage.sessions')
                : (row.name ?? t('usage.otherToken', { id: row.tokenId })),
          },
          ...([...usageClasses, 'total'] as const).map((name) => ({
            id: name,
            head: t(`usage.${name}`),
            isEnd: true,
            cell: (row: Usage['tokens'][number]) => formatCount(row[name]),
            sortBy: (row: Usage['tokens'][number]) => row[name],
          })),
        ]}
      />
    </Card>
  );
}

/** API requests by day, type and token. */
export function UsageCard() {
  const [period] = useSearchChoice('period', periods);
  const query = useQuery({
    ...usageQuery(spanOf(Number(period))),
    // The control that was pressed is in the card, and keeps the focus.
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={query} height={640}>
      {(usage) => (
        <div className="stack">
          <DaysCard usage={usage} />
          <AllowancesCard usage={usage} />
          <TokensUsage usage={usage} />
        </div>
      )}
    </Loaded>
  );
}
