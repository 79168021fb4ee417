import type { TFunction } from 'i18next';
import { comparedColor, comparedLine } from '#web/components/periods/compared-line.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { exactAxis } from '#web/components/chart/value-axis.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import { formatCount, formatDay, formatShare } from '#web/format.ts';
import type { Store } from '#web/api.ts';
import { formatTimelineItem } from '#web/components/format-timeline-item.ts';
import type { DrawnMark } from '#web/components/provider-marks.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { bands, checkedOf, colorOf, followedOf, type Band } from './bands.ts';

export type Measure = 'count' | 'share';

const roomyDays = 45;
/** The top 10: the ranges at the bottom. */
const topBands = bands.slice(0, 3);

interface BandsDrawing {
  days: readonly DistributionDay[];
  measure: Measure;
  /** Days on which another search provider begins. */
  marks: readonly DrawnMark[];
  store: Store | undefined;
  /** The compared period by the day that it is drawn on. */
  compared?: ReadonlyMap<string, DistributionDay> | undefined;
}

/**
 * The best range is at the bottom, so that it has a straight baseline. Every day is a column of its
 * own, and an unchecked day is entirely in the palest range.
 */
export function buildBandsChart(
  { days, measure, marks, store, compared }: BandsDrawing,
  t: TFunction,
): ChartSpec {
  const dates = days.map(({ date }) => date);
  const valueOf = (day: DistributionDay, band: Band) =>
    measure === 'count' ? day[band.id] : day[band.id] / Math.max(1, followedOf(day));
  const top10Of = (day: DistributionDay) =>
    topBands.reduce((sum, band) => sum + valueOf(day, band), 0);
  const all = [...days, ...(compared?.values() ?? [])];
  const count = exactAxis(0, Math.max(...all.map(followedOf)), formatCount);
  return {
    columns: dates,
    nameColumn: (date) => formatDay(date),
    isZoomable: isLong(dates),
    axis:
      measure === 'share'
        ? exactAxis(0, 1, formatShare)
        : { ...count, ticks: count.ticks.filter(Number.isInteger) },
    events: marks.map(({ date, kind }) => ({
      date,
      label: t(`timeline.kind.${kind}`),
      isBoundary: true,
    })),
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
      ...(compared
        ? [
            comparedLine(
              t('periods.top10'),
              dates.map((date) => {
                const day = compared.get(date);
                return day && checkedOf(day) > 0 ? top10Of(day) : null;
              }),
            ),
          ]
        : []),
    ],
    describe(index) {
      const before = compared?.get(dates[index]!);
      const lines = [
        ...describeDay(days[index]!, t),
        ...marks
          .filter(({ date }) => date === dates[index])
          .map((mark): TipLine => ['mark', formatTimelineItem(mark, store, t).title]),
      ];
      if (!before || checkedOf(before) === 0) return lines;
      const value =
        measure === 'share' ? formatShare(top10Of(before)) : formatCount(top10Of(before));
      const text = t('periods.top10Day', { day: formatDay(before.date, true), value });
      return [...lines, ['series', text, comparedColor]];
    },
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
    ...(day.notTracked > 0
      ? [
          [
            'note',
            t('distribution.notTracked', {
              count: day.notTracked,
              shown: formatCount(day.notTracked),
            }),
          ] satisfies TipLine,
        ]
      : []),
  ];
}
