import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DataTable } from '#web/components/data-table.tsx';
import { formatPeriod } from '#web/components/format-period.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { formatCount, formatCountry } from '#web/format.ts';
import {
  popularityImportQuery,
  type PopularityImportDetail,
} from '#web/queries/popularity-imports.ts';
import styles from './settings-page.module.css';

/** The result of the newest import by country, and the rows that were refused. */
export function PopularityImportResult({ importId }: { importId: number }) {
  const query = useQuery(popularityImportQuery(importId));
  return (
    <Loaded query={query} height={120}>
      {(detail) => <Result detail={detail} />}
    </Loaded>
  );
}

function Result({ detail }: { detail: PopularityImportDetail }) {
  const { t } = useTranslation();
  const { refusal, refused, sets } = detail;
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  return (
    <div className="stack">
      {refusal && (
        <div role="alert">
          <State tone="bad" wraps>
            {t(`popularityImport.refusal.${refusal.reason}`)}
          </State>
          <p lang="en" className="muted">
            {refusal.message}
          </p>
        </div>
      )}
      {refused.length > 0 && (
        <DataTable
          label={t('popularityImport.refusedRows')}
          fileName="refused-rows"
          sortName="refused"
          rows={refused}
          keyOf={(row) => row.reason}
          columns={[
            {
              id: 'reason',
              head: t('popularityImport.reason'),
              cell: ({ reason }) => t(`popularityImport.reason.${reason}`),
              csv: ({ reason }) => reason,
            },
            {
              id: 'rows',
              head: t('popularityImport.count'),
              isEnd: true,
              cell: ({ rows }) => formatCount(rows),
              sortBy: ({ rows }) => rows,
            },
            {
              id: 'first',
              head: t('popularityImport.first'),
              cell: ({ first }) => (
                <span className={styles.examples}>
                  {first.slice(0, 3).map(describe).join(', ')}
                </span>
              ),
              csv: ({ first }) => first.map(describe).join(', '),
            },
          ]}
        />
      )}
      {sets.length > 0 && (
        <DataTable
          label={t('popularityImport.sets')}
          fileName="imported-countries"
          sortName="imported"
          rows={sets}
          keyOf={({ country, period }) => `${country} ${period}`}
          columns={[
            {
              id: 'country',
              head: t('popularity.country'),
              cell: ({ country, period, refused: count }) => (
                <>
                  {formatCountry(country)}
                  {isNarrow && (
                    <div className="muted">
                      {formatMonth(period)}
                      {count > 0 &&
                        `, ${t('popularityImport.refusedColumn')}: ${formatCount(count)}`}
                    </div>
                  )}
                </>
              ),
              sortBy: ({ country }) => formatCountry(country),
            },
            {
              id: 'period',
              head: t('popularity.period'),
              cell: ({ period }) => formatMonth(period),
              sortBy: ({ period }) => period,
              isCsvOnly: isNarrow,
            },
            {
              id: 'terms',
              head: t('popularityImport.terms'),
              isEnd: true,
              cell: ({ terms }) => formatCount(terms),
              sortBy: ({ terms }) => terms,
            },
            {
              id: 'refused',
              head: t('popularityImport.refusedColumn'),
              isEnd: true,
              cell: (row) => formatCount(row.refused),
              sortBy: (row) => row.refused,
              isCsvOnly: isNarrow,
            },
            {
              id: 'outcome',
              head: t('popularityImport.outcome'),
              cell: ({ outcome, termsBefore }) =>
                t(`popularityImport.outcome.${outcome}`, { count: termsBefore ?? 0 }),
              csv: ({ outcome }) => outcome,
            },
          ]}
        />
      )}
    </div>
  );
}

const formatMonth = (period: string) => formatPeriod({ granularity: 'month', period });
const describe = ({ line, value }: { line: number; value: string }): string =>
  `${line}: ${value || '–'}`;
