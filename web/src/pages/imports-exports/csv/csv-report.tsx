import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { App, BudgetDelta } from '#web/api.ts';
import { CostLine } from '#web/components/cost-line.tsx';
import { DataTable } from '#web/components/data-table.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { formatCount, formatDay } from '#web/format.ts';
import styles from '../imports-exports-page.module.css';
import type { CsvKind } from './mapping.ts';
import type { SentRow } from './send-rows.ts';

interface Props {
  sent: readonly SentRow[];
  budgetDelta: BudgetDelta | undefined;
  omitted: number;
  kind: CsvKind;
  app: App;
}

const outcomes = ['added', 'existing', 'duplicate', 'not_checked'] as const;

export function CsvReport({ sent, budgetDelta, omitted, kind, app }: Props) {
  const { t } = useTranslation();
  return (
    <section className={styles.preview} aria-labelledby="csv-report">
      <h3 id="csv-report" className={styles.done}>
        <CircleCheck size={17} aria-hidden />
        {t('csv.done')}
      </h3>
      <ul className={styles.counts} role="status">
        {outcomes.map((outcome) => {
          const count = sent.filter((row) => row.outcome === outcome).length;
          return (
            count > 0 && (
              <li key={outcome}>
                {t(`csv.outcome.${outcome}.count`, { count, shown: formatCount(count) })}
              </li>
            )
          );
        })}
        {omitted > 0 && (
          <li>{t('csv.omitted', { count: omitted, shown: formatCount(omitted) })}</li>
        )}
      </ul>
      {budgetDelta && <CostLine delta={budgetDelta} />}
      <p>
        <Link to="/apps/$appId/keywords" params={{ appId: String(app.id) }}>
          {t('csv.toKeywords')}
        </Link>
      </p>
      <DataTable
        label={t('csv.report')}
        fileName="import-report"
        rows={sent}
        keyOf={(row) => row.row}
        initialSort="row"
        columns={[
          {
            id: 'row',
            head: t('csv.row'),
            isEnd: true,
            cell: (row) => formatCount(row.row),
            sortBy: (row) => row.row,
          },
          {
            id: 'phrase',
            head: t('csv.field.phrase'),
            cell: (row) => row.phrase,
            sortBy: (row) => row.phrase,
          },
          {
            id: 'country',
            head: t('csv.field.country'),
            cell: (row) => <MarketChip of={row} />,
            sortBy: (row) => row.country,
          },
          {
            id: 'device',
            head: t('csv.field.device'),
            cell: (row) => row.device,
            sortBy: (row) => row.device,
            isCsvOnly: true,
          },
          ...(kind === 'history'
            ? [
                {
                  id: 'date',
                  head: t('csv.field.date'),
                  cell: (row: SentRow) => formatDay(row.date, true),
                  sortBy: (row: SentRow) => row.date,
                },
              ]
            : []),
          {
            id: 'outcome',
            head: t('csv.outcome'),
            cell: (row) => t(`csv.outcome.${row.outcome}`),
            sortBy: (row) => row.outcome,
          },
        ]}
      />
    </section>
  );
}
