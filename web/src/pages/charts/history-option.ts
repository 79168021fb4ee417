import type { EChartsCoreOption } from 'echarts/core';
import type { TFunction } from 'i18next';
import { formatPosition } from '#lib/format-position.ts';
import { drawDayAxis, drawZoom, labelOf, zoomFoot } from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatDay, formatInstant } from '#web/format.ts';
import type { CategoryRank } from '#web/queries/charts.ts';

/**
 * Chart positions by day, with 1 at the top. A day outside the chart is a hollow dot at the bottom;
 * a day without data is a gap.
 */
export function buildChartHistory(
  cells: readonly CategoryRank[],
  t: TFunction,
  palette: Palette,
): EChartsCoreOption {
  const days = cells.map(({ date }) => date);
  const read = cells.filter((cell) => cell.state !== 'not_checked');
  const lowest = Math.max(10, ...read.map(({ position, depth }) => position ?? depth));
  const foot = Math.ceil(lowest * 1.15);
  const describe = (index: number): TipLine[] => {
    const cell = cells[index];
    if (!cell) return [];
    if (cell.state === 'not_checked')
      return [
        ['day', formatDay(cell.date, true)],
        ['gap', t(`charts.gap.${cell.reason}`)],
      ];
    return [
      ['day', formatDay(cell.date, true)],
      ['value', formatPosition(cell)],
      ['note', t('charts.depth', { count: cell.depth })],
      ['note', formatInstant(cell.checkedAt)],
    ];
  };
  return {
    grid: { left: 44, right: 16, top: 16, bottom: 30 + zoomFoot(days) },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, describe),
    dataZoom: drawZoom(days, palette),
    xAxis: drawDayAxis(days, palette),
    yAxis: {
      type: 'value',
      inverse: true,
      min: 1,
      max: foot,
      axisLabel: {
        ...labelOf(palette),
        formatter: (value: number) => (value > lowest ? '' : String(value)),
      },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: [
      {
        type: 'line',
        connectNulls: false,
        showAllSymbol: true,
        symbol: 'circle',
        symbolSize: 5,
        lineStyle: { color: palette.accent, width: 2 },
        itemStyle: { color: palette.accent },
        data: cells.map((cell) => (cell.state === 'ranked' ? cell.position : null)),
      },
      {
        type: 'scatter',
        symbolSize: 7,
        itemStyle: { color: palette.surface, borderColor: palette.muted, borderWidth: 1.5 },
        data: cells.flatMap((cell) =>
          cell.state === 'not_found' ? [[cell.date, (cell.depth + foot) / 2]] : [],
        ),
      },
    ],
  };
}
