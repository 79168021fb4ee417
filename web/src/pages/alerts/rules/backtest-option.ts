import type { EChartsCoreOption } from 'echarts/core';
import { alertTypes, type AlertType } from '#contract/choices.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatDay } from '#web/format.ts';
import type { Backtest } from '#web/queries/alerts.ts';
import { eventViews } from '../event-views.ts';

export interface BacktestLabels {
  name: (type: AlertType) => string;
  none: string;
  unchecked: string;
  coverage: (day: Backtest['days'][number]) => string;
}

function colorOf(type: AlertType, palette: Palette): string {
  const { color } = eventViews[type];
  return typeof color === 'number' ? palette.series[color - 1]! : palette[color ?? 'muted'];
}

/** One bar per day, stacked by event type. */
export function buildBacktestOption(
  backtest: Backtest,
  palette: Palette,
  words: BacktestLabels,
): EChartsCoreOption {
  const label = { color: palette.muted, fontFamily: palette.font, fontSize: 11 };
  const describe = (index: number): TipLine[] => {
    const day = backtest.days[index];
    if (!day) return [];
    const lines = alertTypes
      .filter((name) => day.counts[name] > 0)
      .map((name): TipLine => [
        'series',
        `${words.name(name)}: ${day.counts[name]}`,
        colorOf(name, palette),
      ]);
    if (day.checked === 0)
      return [['day', formatDay(day.date, true)], ...lines, ['gap', words.unchecked]];
    const shown: TipLine[] = lines.length > 0 ? lines : [['note', words.none]];
    return [['day', formatDay(day.date, true)], ...shown, ['note', words.coverage(day)]];
  };
  return {
    grid: { left: 30, right: 6, top: 10, bottom: 24 },
    textStyle: { fontFamily: palette.font },
    tooltip: { ...drawTip(palette, describe), axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      data: backtest.days.map((day) => day.date),
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      axisLabel: { ...label, formatter: (day: string) => formatDay(day), hideOverlap: true },
    },
    yAxis: [
      {
        type: 'value',
        minInterval: 1,
        axisLabel: label,
        splitLine: { lineStyle: { color: palette.line } },
      },
      { type: 'value', min: 0, max: 1, show: false },
    ],
    series: [
      ...alertTypes.map((name) => ({
        type: 'bar',
        stack: 'alerts',
        barCategoryGap: '20%',
        itemStyle: { color: colorOf(name, palette) },
        data: backtest.days.map((day) => day.counts[name]),
      })),
      // An unchecked day is a grey column instead of an empty one. It is behind the bars, because
      // reviews and listing changes need no check.
      {
        type: 'bar',
        yAxisIndex: 1,
        barGap: '-100%',
        z: 1,
        silent: true,
        itemStyle: { color: palette.muted, opacity: 0.12 },
        data: backtest.days.map((day) => (day.checked === 0 ? 1 : null)),
      },
    ],
  };
}
