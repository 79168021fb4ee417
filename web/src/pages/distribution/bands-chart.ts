import type { TFunction } from 'i18next';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { exactAxis } from '#web/components/chart/value-axis.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import { formatCount, formatDay, formatShare } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { bands, checkedOf, colorOf, followedOf, type Band } from './bands.ts';

export type Measure = 'count' | 'share';

const roomyDays = 45;

/**
 * The best range is at the bottom, so that it has a straight baseline. Every day is a column of its
 * own, and an unchecked day is entirely in the palest range.
 */
export function buildBandsChart(
  days: readonly DistributionDay[],
  measure: Measure,
  t: TFunction,
): ChartSpec {
  const dates = days.map(({ date }) => date);
  const valueOf = (day: DistributionDay, band: Band) =>
    measure === 'count' ? day[band.id] : day[band.id] / Math.max(1, followedOf(day));
  const count = exactAxis(0, Math.max(...days.map(followedOf)), formatCount);
  return {
    columns: dates,
    nameColumn: (date) => formatDay(date),
    isZoomable: isLong(dates),
    axis:
      measure === 'share'
        ? exactAxis(0, 1, formatShare)
        : { ...count, ticks: count.ticks.filter(Number.isInteger) },
    layers: [
      {
        kind: 'bars',
        maxWidth: 60,
        gap: days.length > roomyDays ? 0 : 0.1,
        stacks: bands.map((band) => ({
          color: colorOf(band),
          values: days.map((day) => valueOf(day, band)),
          isPickable: 'filter' in band,
        })),
      },
    ],
    describe: (index) => describeDay(days[index]!, t),
  };
}

function describeDay(day: DistributionDay, t: TFunction): TipLine[] {
  const [checked, followed] = [checkedOf(day), followedOf(day)];
  return [
    ['day', formatDay(day.date, true)],
    ...bands
      .filter((band) => day[band.id] > 0)
      .map((band): TipLine => [
        'series',
        `${t(`distribution.band.${band.id}`)}: ${formatCount(day[band.id])}`,
        colorOf(band),
      ]),
    [
      'note',
      t('distribution.coverage', {
        checked: formatCount(checked),
        count: followed,
        followed: formatCount(followed),
      }),
    ],
  ];
}
