import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isUtcDay, utcDayOf } from '#lib/dates.ts';
import { Card } from '#web/components/card.tsx';
import { DayField } from '#web/components/day-field.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { formatDay } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { pivotQuery, type ChartColumn, type Pivot } from '#web/queries/charts.ts';
import { isPast, readScope, spanOfScope } from '#web/scope.ts';
import { useSearchValue } from '#web/search-value.ts';
import { readCell } from './selected-cell.ts';
import styles from './charts-page.module.css';
import { EmptyDay } from './empty-day.tsx';
import { HistoryCard } from './history-card.tsx';
import { NeighboursCard } from './neighbours-card.tsx';
import { PivotTable } from './pivot-table.tsx';

export function ChartsPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const [asked, setDate] = useSearchValue('date');
  const span = spanOfScope(readScope(useSearch({ strict: false })));
  // The latest positions by default, or those of the last day of a past period.
  const usual = isPast(span) ? span.to : undefined;
  const date = asked && isUtcDay(asked) ? asked : usual;
  const query = useQuery({ ...pivotQuery(appId, date), placeholderData: keepPreviousData });
  return (
    <>
      <PageHead title={t('charts.title')} lead={t('charts.lead')}>
        <DayField
          aria-label={t('charts.day')}
          day={date ?? query.data?.date ?? ''}
          max={utcDayOf(new Date())}
          onChoose={setDate}
          onClear={() => setDate(null)}
        />
      </PageHead>
      <Loaded query={query} height={420}>
        {(pivot) => <Day pivot={pivot} appId={appId} asked={date} />}
      </Loaded>
    </>
  );
}

/** A day without data of the store. The cells of skipped work show the reason. */
const isBlank = ({ rows }: Pivot): boolean =>
  rows.every(({ cells }) =>
    cells.every(
      (cell) => cell === null || (cell.state === 'not_checked' && cell.reason === 'not_yet_run'),
    ),
  );

function Day({ pivot, appId, asked }: { pivot: Pivot; appId: number; asked: string | undefined }) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const scope = readScope(useSearch({ strict: false }));
  const { country } = scope;
  const [cell] = useSearchValue('cell');
  const shown = country
    ? { ...pivot, rows: pivot.rows.filter((row) => row.country === country) }
    : pivot;
  const chosen = readCell(cell, shown);
  const nameOf = ({ category, chart }: ChartColumn) =>
    `${category ? (category.name ?? category.id) : t('charts.allApps')} · ${t(`charts.${chart}`)}`;
  if (isBlank(shown))
    return (
      <Card title={t('charts.pivot')}>
        <EmptyDay country={isBlank(pivot) ? undefined : country} date={asked} />
      </Card>
    );
  return (
    <div className="stack">
      <Card
        title={t('charts.pivotOf', { day: formatDay(pivot.date, true) })}
        lead={t('charts.pivotLead')}
      >
        <PivotTable pivot={shown} chosen={chosen} nameOf={nameOf} />
      </Card>
      {chosen && (
        <div className={styles.pair} data-print="column">
          <HistoryCard appId={appId} chosen={chosen} span={spanOfScope(scope)} nameOf={nameOf} />
          {app && (
            <NeighboursCard
              store={app.store}
              appId={appId}
              date={pivot.date}
              chosen={chosen}
              nameOf={nameOf}
            />
          )}
        </div>
      )}
    </div>
  );
}
