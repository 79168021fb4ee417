import type { EChartsCoreOption } from 'echarts/core';
import type { TFunction } from 'i18next';
import { labelOf } from '#web/components/chart/day-axis.ts';
import { mixColors } from '#web/components/chart/mix-colors.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatCount, formatDecimal } from '#web/format.ts';
import type { ReviewStats } from '#web/queries/reviews.ts';

type Group = ReviewStats['items'][number];

/** Five stars are pale and one star is strong, because low ratings matter most. */
const colorOf = (star: number, palette: Palette): string =>
  star <= 2
    ? mixColors(palette.loss, palette.surface, star === 1 ? 1 : 0.6)
    : mixColors(palette.gain, palette.surface, [0.3, 0.6, 1][star - 3]!);

/** Reviews stacked by stars, one column per day, version or country. */
export function buildStatsOption(
  groups: readonly Group[],
  nameOf: (group: Group) => string,
  t: TFunction,
  palette: Palette,
): EChartsCoreOption {
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
        colorOf(index + 1, palette),
      ])
      .filter((_, index) => group.stars[index]! > 0)
      .toReversed(),
    ...(group.known === false ? [['gap', t('reviews.notWholeDay')] as TipLine] : []),
  ];
  return {
    grid: { left: 40, right: 12, top: 12, bottom: 30 },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, (index) => (groups[index] ? describe(groups[index]) : [])),
    xAxis: {
      type: 'category',
      data: groups.map(nameOf),
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      axisLabel: { ...labelOf(palette), hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      min: 0,
      minInterval: 1,
      axisLabel: labelOf(palette),
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: [1, 2, 3, 4, 5].map((star) => ({
      type: 'bar',
      name: `${star} ★`,
      stack: 'reviews',
      barMaxWidth: 42,
      color: colorOf(star, palette),
      emphasis: { disabled: true },
      data: groups.map((group) => group.stars[star - 1]),
    })),
  };
}
