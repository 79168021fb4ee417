import { alertTypes, type AlertType } from '#contract/choices.ts';
import { colors, seriesColor } from '#web/components/chart/colors.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { countAxis } from '#web/components/chart/value-axis.ts';
import { formatDay } from '#web/format.ts';
import type { Backtest } from '#web/queries/alerts.ts';
import { eventViews } from '../event-views.ts';

export interface BacktestLabels {
  name: (type: AlertType) => string;
  none: string;
  unchecked: string;
  coverage: (day: Backtest['days'][number]) => string;
}

function colorOf(type: AlertType): string {
  const { color } = eventViews[type];
  return typeof color === 'number' ? seriesColor(color - 1) : colors[color ?? 'muted'];
}

/** One bar per day, stacked by event type. */
export function buildBacktestChart(backtest: Backtest, words: BacktestLabels): ChartSpec {
  const describe = (index: number): TipLine[] => {
    const day = backtest.days[index];
    if (!day) return [];
    const lines = alertTypes
      .filter((name) => day.counts[name] > 0)
      .map((name): TipLine => [
        'series',
        `${words.name(name)}: ${day.counts[name]}`,
        colorOf(name),
      ]);
    if (day.checked === 0)
      return [['day', formatDay(day.date, true)], ...lines, ['gap', words.unchecked]];
    const shown: TipLine[] = lines.length > 0 ? lines : [['note', words.none]];
    return [['day', formatDay(day.date, true)], ...shown, ['note', words.coverage(day)]];
  };
  const totals = backtest.days.map(({ counts }) =>
    alertTypes.reduce((sum, name) => sum + counts[name], 0),
  );
  return {
    columns: backtest.days.map((day) => day.date),
    nameColumn: (day) => formatDay(day),
    isZoomable: false,
    axis: countAxis(Math.max(...totals)),
    layers: [
      // An unchecked day is a grey column instead of an empty one. It is behind the bars, because
      // reviews and listing changes need no check.
      {
        kind: 'ranges',
        opacity: 0.12,
        ranges: backtest.days.flatMap((day, from) =>
          day.checked === 0 ? [{ from, length: 1 }] : [],
        ),
      },
      {
        kind: 'bars',
        maxWidth: Number.POSITIVE_INFINITY,
        gap: 0.2,
        stacks: alertTypes.map((name) => ({
          color: colorOf(name),
          values: backtest.days.map((day) => day.counts[name]),
        })),
      },
    ],
    describe,
  };
}
