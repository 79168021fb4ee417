import type { TFunction } from 'i18next';
import { colors } from '#web/components/chart/colors.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import { countAxis } from '#web/components/chart/value-axis.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import { formatCount, formatDay } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { checkedOf, followedOf } from './bands.ts';

/** Entered keywords above the axis, left ones below it. */
export function buildFlowChart(days: readonly DistributionDay[], t: TFunction): ChartSpec {
  const dates = days.map(({ date }) => date);
  const known = (value: (day: DistributionDay) => number) =>
    days.map((day) => (checkedOf(day) === 0 ? null : value(day)));
  return {
    columns: dates,
    nameColumn: (date) => formatDay(date),
    isZoomable: isLong(dates),
    axis: countAxis(Math.max(...days.map(({ entered }) => entered)), {
      min: -Math.max(...days.map(({ left }) => left)),
      format: (value: number) => formatCount(Math.abs(value)),
    }),
    layers: [
      {
        kind: 'bars',
        maxWidth: 22,
        gap: 0.2,
        stacks: [
          { color: colors.gain, values: known(({ entered }) => entered) },
          { color: colors.loss, values: known(({ left }) => -left) },
        ],
      },
    ],
    describe: (index) => {
      const day = days[index]!;
      const [checked, followed] = [checkedOf(day), followedOf(day)];
      if (checked === 0)
        return [
          ['day', formatDay(day.date, true)],
          ['gap', t('history.gap')],
        ];
      return [
        ['day', formatDay(day.date, true)],
        ['series', `↗ ${t('distribution.entered')}: ${formatCount(day.entered)}`, colors.gain],
        ['series', `↘ ${t('distribution.left')}: ${formatCount(day.left)}`, colors.loss],
        [
          'note',
          t('distribution.coverage', {
            checked: formatCount(checked),
            count: followed,
            followed: formatCount(followed),
          }),
        ],
      ];
    },
  };
}
