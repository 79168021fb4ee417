import type { TFunction } from 'i18next';
import { drawDayAxis, labelOf } from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatCompact, formatCount, formatDay } from '#web/format.ts';
import type { Usage } from '#web/queries/workspace.ts';

export const usageClasses = ['read', 'write', 'store'] as const;

/** Requests per day, stacked by type. */
export function drawUsage(days: Usage['days'], palette: Palette, t: TFunction) {
  const describe = (index: number): TipLine[] => {
    const day = days[index]!;
    return [
      ['day', formatDay(day.date, true)],
      ...usageClasses.map((name, at): TipLine => [
        'series',
        `${t(`usage.${name}`)}: ${formatCount(day[name])}`,
        palette.series[at],
      ]),
    ];
  };
  return {
    grid: { left: 8, right: 8, top: 12, bottom: 4, containLabel: true },
    tooltip: drawTip(palette, describe),
    xAxis: drawDayAxis(
      days.map((day) => day.date),
      palette,
    ),
    yAxis: {
      type: 'value' as const,
      minInterval: 1,
      axisLabel: { ...labelOf(palette), formatter: (value: number) => formatCompact(value) },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: usageClasses.map((name, at) => ({
      type: 'bar' as const,
      name: t(`usage.${name}`),
      stack: 'all',
      barMaxWidth: 22,
      itemStyle: { color: palette.series[at]! },
      data: days.map((day) => day[name]),
    })),
  };
}
