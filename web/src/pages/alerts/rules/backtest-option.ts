import type { EChartsCoreOption } from 'echarts/core';
import { alertTypes } from '../../../../../src/contract/choices.ts';
import type { Palette } from '../../../components/chart/palette.ts';
import { drawTip, type TipLine } from '../../../components/chart/tip.ts';
import { formatDay } from '../../../format.ts';
import type { Backtest } from '../../../queries/alerts.ts';

export interface BacktestWords {
  name: (event: (typeof alertTypes)[number]) => string;
  none: string;
  unchecked: string;
  coverage: (day: Backtest['days'][number]) => string;
}

/** Colours by kind: losses and gains as everywhere, the others of the series. */
export function colorsOf(palette: Palette): Record<(typeof alertTypes)[number], string> {
  return {
    'rank.dropped': palette.loss,
    'rank.improved': palette.gain,
    'serp.entrant': palette.series[4]!,
    'metadata.changed': palette.series[2]!,
    'review.negative': palette.series[6]!,
  };
}

/** A bar a day, its alerts on top of one another by kind. */
export function buildBacktestOption(
  backtest: Backtest,
  palette: Palette,
  words: BacktestWords,
): EChartsCoreOption {
  const colors = colorsOf(palette);
  const label = { color: palette.muted, fontFamily: palette.font, fontSize: 11 };
  const describe = (index: number): TipLine[] => {
    const day = backtest.days[index];
    if (!day) return [];
    const lines = alertTypes
      .filter((name) => day.counts[name] > 0)
      .map((name): TipLine => ['series', `${words.name(name)}: ${day.counts[name]}`, colors[name]]);
    if (day.checked === 0)
      return [['day', formatDay(day.date, true)], ...lines, ['gap', words.unchecked]];
    const told: TipLine[] = lines.length > 0 ? lines : [['note', words.none]];
    return [['day', formatDay(day.date, true)], ...told, ['note', words.coverage(day)]];
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
        itemStyle: { color: colors[name] },
        data: backtest.days.map((day) => day.counts[name]),
      })),
      // A day nobody looked is a grey column, not a quiet day; behind the bars, since reviews and changes come without a check.
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
