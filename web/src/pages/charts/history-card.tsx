import { useQuery } from '@tanstack/react-query';
import { CalendarX2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { CompetitorChips } from '#web/components/competitor-lines/competitor-chips.tsx';
import {
  useCompetitorChoice,
  type CompetitorChoice,
} from '#web/components/competitor-lines/use-competitor-choice.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { alignDays, averageOf } from '#web/components/periods/compared-span.ts';
import { PeriodChoiceField } from '#web/components/periods/period-choice-field.tsx';
import { PeriodSummary } from '#web/components/periods/period-summary.tsx';
import { useComparedSpan } from '#web/components/periods/use-compared-span.ts';
import { formatCountry, formatDecimal, formatSpan } from '#web/format.ts';
import type { Span } from '#web/queries/apps.ts';
import { categoryRanksQuery, type CategoryRank, type ChartColumn } from '#web/queries/charts.ts';
import type { SelectedCell } from './selected-cell.ts';
import styles from './charts-page.module.css';
import { buildChartHistory, fillDays, rankedPosition } from './history-chart.ts';
import { useCompetitorRanks, type CompetitorRanks } from './use-competitor-ranks.ts';

interface Props {
  appId: number;
  chosen: SelectedCell;
  span: Span;
  nameOf: (column: ChartColumn) => string;
}

export function HistoryCard({ appId, chosen, span, nameOf }: Props) {
  const { country, column } = chosen;
  const query = useQuery(categoryRanksQuery(appId, country, column.chart, span));
  const comparedSpan = useComparedSpan(span);
  const before = useQuery({
    ...categoryRanksQuery(appId, country, column.chart, comparedSpan ?? span),
    enabled: comparedSpan !== null,
  });
  const choice = useCompetitorChoice(appId);
  const { competitors, error } = useCompetitorRanks(choice, { appId, cell: chosen, span });
  const ofCategory = (all: CategoryRank[]) =>
    all.filter((cell) => (cell.category?.id ?? null) === (column.category?.id ?? null));
  const title = `${nameOf(column)} · ${formatCountry(country)}`;
  return (
    <Loaded query={query} height={400}>
      {(all) => (
        <Drawn
          title={title}
          cells={ofCategory(all)}
          span={span}
          comparedSpan={comparedSpan}
          before={comparedSpan && before.data ? ofCategory(before.data) : undefined}
          error={comparedSpan && before.error}
          choice={choice}
          competitors={competitors}
          competitorError={choice.error ?? error}
        />
      )}
    </Loaded>
  );
}

interface DrawnProps {
  title: string;
  cells: CategoryRank[];
  span: Span;
  comparedSpan: Span | null;
  /** The compared period, once it is loaded. */
  before: CategoryRank[] | undefined;
  error: Error | null;
  choice: CompetitorChoice;
  competitors: readonly CompetitorRanks[];
  competitorError: Error | null;
}

function Drawn({
  title,
  cells,
  span,
  comparedSpan,
  before,
  error,
  choice,
  competitors,
  competitorError,
}: DrawnProps) {
  const { t } = useTranslation();
  const compared = useMemo(
    () => (comparedSpan && before ? alignDays(span, comparedSpan, before) : undefined),
    [span, comparedSpan, before],
  );
  const first = cells.findIndex(
    (cell) =>
      cell.state !== 'not_checked' ||
      (compared?.get(cell.date)?.state ?? 'not_checked') !== 'not_checked',
  );
  const shown = useMemo(() => fillDays(cells.slice(Math.max(0, first))), [cells, first]);
  const spec = useMemo(
    () => buildChartHistory({ cells: shown, compared, competitors }, t),
    [shown, t, compared, competitors],
  );
  if (first < 0)
    return (
      <Card title={title}>
        <EmptyState
          icon={CalendarX2}
          title={t('charts.noDaysTitle')}
          text={t('charts.noDaysText')}
        />
      </Card>
    );
  const positions = shown.flatMap((cell) =>
    cell.state === 'ranked' && cell.position !== null ? [cell.position] : [],
  );
  const nowhere = competitors
    .filter(({ ranks }) => Object.values(ranks).every((rank) => rankedPosition(rank) === null))
    .map(({ name }) => name);
  const gaps = shown.filter((cell) => cell.state === 'not_checked').length;
  const best = positions.length === 0 ? '–' : Math.min(...positions);
  const describe = (of: Span, all: readonly CategoryRank[]) => {
    const [period, known] = [formatSpan(of), averageOf(all.map(rankedPosition))];
    if (!known) return t('periods.unknown', { period });
    const average = formatDecimal(known.average);
    return t('periods.position', { period, average, count: known.count });
  };
  const periods = comparedSpan &&
    before && { own: describe(span, cells), compared: describe(comparedSpan, before) };
  const label = t('charts.historyLabel', {
    chart: title,
    best,
    days: positions.length,
    gaps,
  });
  return (
    <ChartCard
      title={title}
      lead={t('charts.historyLead', { count: gaps })}
      label={periods ? `${label} ${periods.own}. ${periods.compared}.` : label}
      tools={
        <>
          <div className={styles.tools}>
            <PeriodChoiceField span={span} />
            <CompetitorChips choice={choice} nowhere={nowhere} />
          </div>
          {competitorError && (
            <ErrorNotice error={competitorError} title={t('competitorLines.failed')} />
          )}
          {error && <ErrorNotice error={error} title={t('periods.failed')} />}
        </>
      }
      legend={periods && <PeriodSummary {...periods} />}
      spec={spec}
      fileName={`category-rank-${title.toLowerCase().replaceAll(/\W+/g, '-')}`}
      table={{
        head: [
          t('history.day'),
          t('column.position'),
          t('history.depth'),
          t('history.note'),
          ...(compared
            ? [t('periods.day'), t('periods.value', { name: t('column.position') })]
            : []),
          ...competitors.map(({ name }) => name),
        ],
        rows: shown.map((cell) => [
          ...(cell.state === 'not_checked'
            ? [cell.date, null, null, t(`charts.gap.${cell.reason}`)]
            : [cell.date, cell.position, cell.depth, null]),
          ...(compared
            ? [compared.get(cell.date)?.date ?? null, rankedPosition(compared.get(cell.date))]
            : []),
          ...competitors.map(({ ranks }) => rankedPosition(ranks[cell.date])),
        ]),
      }}
    />
  );
}
