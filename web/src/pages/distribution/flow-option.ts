import type { EChartsCoreOption } from 'echarts/core';
import type { TFunction } from 'i18next';
import { drawDayAxis, drawZoom, labelOf, zoomFoot } from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip } from '#web/components/chart/tip.ts';
import { formatCount, formatDay } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf, followedOf } from './bands.ts';

/** Entered keywords above the axis, left ones below it. */
export function buildFlowOption(
  days: readonly DistributionDay[],
  t: TFunction,
  palette: Palette,
): EChartsCoreOption {
  const dates = days.map(({ date }) => date);
  return {
    grid: { left: 44, right: 16, top: 12, bottom: 30 + zoomFoot(dates) },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, (index) => {
      const day = days[index]!;
      const [checked, followed] = [checkedOf(day), followedOf(day)];
      if (checked === 0)
        return [
          ['day', formatDay(day.date, true)],
          ['gap', t('history.gap')],
        ];
      return [
        ['day', formatDay(day.date, true)],
        ['series', `↗ ${t('distribution.entered')}: ${formatCount(day.entered)}`, palette.gain],
        ['series', `↘ ${t('distribution.left')}: ${formatCount(day.left)}`, palette.loss],
        [
          'note',
          t('distribution.coverage', {
            checked: formatCount(checked),
            count: followed,
            followed: formatCount(followed),
          }),
        ],
      ];
    }),
    dataZoom: drawZoom(dates, palette),
    xAxis: {
      ...drawDayAxis(dates, palette),
      axisLine: { onZero: false, lineStyle: { color: palette.line } },
    },
    yAxis: {
      type: 'value',
      minInterval: 1,
      axisLabel: {
        ...labelOf(palette),
        formatter: (value: number) => formatCount(Math.abs(value)),
      },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: [
      {
        type: 'bar',
        stack: 'flow',
        barMaxWidth: 22,
        color: palette.gain,
        data: days.map((day) => (checkedOf(day) === 0 ? null : day.entered)),
      },
      {
        type: 'bar',
        stack: 'flow',
        barMaxWidth: 22,
        color: palette.loss,
        data: days.map((day) => (checkedOf(day) === 0 ? null : -day.left)),
      },
    ],
  };
}
