import { useQuery } from '@tanstack/react-query';
import { CalendarX2 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ChartCard } from '#web/components/chart/chart-card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCountry } from '#web/format.ts';
import { categoryRanksQuery, type CategoryRank, type ChartColumn } from '#web/queries/charts.ts';
import type { SelectedCell } from './selected-cell.ts';
import { buildChartHistory } from './history-chart.ts';

interface Props {
  appId: number;
  chosen: SelectedCell;
  span: { from: string; to: string };
  nameOf: (column: ChartColumn) => string;
}

export function HistoryCard({ appId, chosen, span, nameOf }: Props) {
  const { country, column } = chosen;
  const query = useQuery(categoryRanksQuery(appId, country, column.chart, span));
  const title = `${nameOf(column)} · ${formatCountry(country)}`;
  return (
    <Loaded query={query} height={400}>
      {(all) => (
        <Drawn
          title={title}
          cells={all.filter(
            (cell) => (cell.category?.id ?? null) === (column.category?.id ?? null),
          )}
        />
      )}
    </Loaded>
  );
}

function Drawn({ title, cells }: { title: string; cells: CategoryRank[] }) {
  const { t } = useTranslation();
  const first = cells.findIndex((cell) => cell.state !== 'not_checked');
  const shown = useMemo(() => cells.slice(Math.max(0, first)), [cells, first]);
  const spec = useMemo(() => buildChartHistory(shown, t), [shown, t]);
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
  const gaps = shown.filter((cell) => cell.state === 'not_checked').length;
  const best = positions.length === 0 ? '–' : Math.min(...positions);
  return (
    <ChartCard
      title={title}
      lead={t('charts.historyLead', { count: gaps })}
      label={t('charts.historyLabel', {
        chart: title,
        best,
        days: positions.length,
        count: gaps,
      })}
      spec={spec}
      fileName={`category-rank-${title.toLowerCase().replaceAll(/\W+/g, '-')}`}
      table={{
        head: [t('history.day'), t('column.position'), t('history.depth'), t('history.note')],
        rows: shown.map((cell) =>
          cell.state === 'not_checked'
            ? [cell.date, null, null, t(`charts.gap.${cell.reason}`)]
            : [cell.date, cell.position, cell.depth, null],
        ),
      }}
    />
  );
}
