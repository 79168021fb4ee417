import type { TFunction } from 'i18next';
import { seriesColor } from '#web/components/chart/colors.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { countAxis } from '#web/components/chart/value-axis.ts';
import { formatCompact, formatCount, formatDay } from '#web/format.ts';
import type { Usage } from '#web/queries/workspace.ts';

export const usageClasses = ['read', 'write', 'store'] as const;

/** Requests per day, stacked by type. */
export function buildUsageChart(days: Usage['days'], t: TFunction): ChartSpec {
  return {
    columns: days.map((day) => day.date),
    nameColumn: (date) => formatDay(date),
    isZoomable: false,
    axis: countAxis(
      Math.max(...days.map((day) => usageClasses.reduce((sum, name) => sum + day[name], 0))),
      { format: formatCompact },
    ),
    layers: [
      {
        kind: 'bars',
        maxWidth: 22,
        gap: 0.2,
        stacks: usageClasses.map((name, at) => ({
          color: seriesColor(at),
          values: days.map((day) => day[name]),
        })),
      },
    ],
    describe: (index) => [
      ['day', formatDay(days[index]!.date, true)],
      ...usageClasses.map((name, at): TipLine => [
        'series',
        `${t(`usage.${name}`)}: ${formatCount(days[index]![name])}`,
        seriesColor(at),
      ]),
    ],
  };
}
