import type { TFunction } from 'i18next';
import { colors, fadeColor } from '#web/components/chart/colors.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { countAxis } from '#web/components/chart/value-axis.ts';
import { formatCount, formatDecimal } from '#web/format.ts';
import type { ReviewStats } from '#web/queries/reviews.ts';

type Group = ReviewStats['items'][number];

/** Five stars are pale and one star is strong, because low ratings matter most. */
const colorOf = (star: number): string =>
  star <= 2
    ? fadeColor(colors.loss, star === 1 ? 1 : 0.6)
    : fadeColor(colors.gain, [0.3, 0.6, 1][star - 3]!);

/** Reviews stacked by stars, one column per day, version or country. */
export function buildStatsChart(
  groups: readonly Group[],
  nameOf: (group: Group) => string,
  t: TFunction,
): ChartSpec {
  const describe = (group: Group): TipLine[] => [
    ['day', nameOf(group)],
    ['value', t('reviews.count', { count: group.count })],
    ...(group.average === null
      ? []
      : [['note', t('reviews.average', { average: formatDecimal(group.average, 2) })] as TipLine]),
    ...group.stars
      .map((count, index): TipLine => [
        'series',
        `${index + 1} ★ ${formatCount(count)}`,
        colorOf(index + 1),
      ])
      .filter((_, index) => group.stars[index]! > 0)
      .toReversed(),
    ...(group.known === false ? [['gap', t('reviews.notWholeDay')] as TipLine] : []),
  ];
  return {
    columns: groups.map(nameOf),
    nameColumn: (name) => name,
    isZoomable: false,
    axis: countAxis(Math.max(...groups.map(({ count }) => count))),
    layers: [
      {
        kind: 'bars',
        maxWidth: 42,
        gap: 0.2,
        stacks: [1, 2, 3, 4, 5].map((star) => ({
          color: colorOf(star),
          values: groups.map((group) => group.stars[star - 1]!),
        })),
      },
    ],
    describe: (index) => (groups[index] ? describe(groups[index]) : []),
  };
}
