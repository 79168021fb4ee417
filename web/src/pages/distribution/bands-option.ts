import type { EChartsCoreOption } from 'echarts/core';
import type { TFunction } from 'i18next';
import { drawDayAxis, drawZoom, labelOf, zoomFoot } from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatCount, formatDay, formatShare } from '#web/format.ts';
import type { DistributionDay } from '#web/queries/rankings.ts';
import { bands, checkedOf, colorOf, followedOf, type Band } from './bands.ts';

export type Measure = 'count' | 'share';

/**
 * The best range is at the bottom, so that it has a straight baseline. Every day is a column of its
 * own, and an unchecked day is entirely in the palest range.
 */
export function buildBandsOption(
  days: readonly DistributionDay[],
  measure: Measure,
  t: TFunction,
  palette: Palette,
): EChartsCoreOption {
  const dates = days.map(({ date }) => date);
  const valueOf = (day: DistributionDay, band: Band) =>
    measure === 'count' ? day[band.id] : day[band.id] / Math.max(1, followedOf(day));
  return {
    grid: { left: 44, right: 16, top: 12, bottom: 30 + zoomFoot(dates) },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, (index) => describeDay(days[index]!, t, palette)),
    dataZoom: drawZoom(dates, palette),
    xAxis: drawDayAxis(dates, palette),
    yAxis: {
      type: 'value',
      min: 0,
      max: measure === 'share' ? 1 : Math.max(...days.map(followedOf)),
      minInterval: measure === 'count' ? 1 : undefined,
      axisLabel: {
        ...labelOf(palette),
        formatter: (value: number) =>
          measure === 'share' ? formatShare(value) : formatCount(value),
      },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: bands.map((band) => ({
      type: 'bar',
      name: t(`distribution.band.${band.id}`),
      stack: 'keywords',
      barMaxWidth: 60,
      barCategoryGap: days.length > 45 ? '0%' : '10%',
      color: colorOf(band, palette),
      emphasis: { disabled: true },
      cursor: 'filter' in band ? 'pointer' : 'default',
      data: days.map((day) => valueOf(day, band)),
    })),
  };
}

function describeDay(day: DistributionDay, t: TFunction, palette: Palette): TipLine[] {
  const [checked, followed] = [checkedOf(day), followedOf(day)];
  return [
    ['day', formatDay(day.date, true)],
    ...bands
      .filter((band) => day[band.id] > 0)
      .map((band): TipLine => [
        'series',
        `${t(`distribution.band.${band.id}`)}: ${formatCount(day[band.id])}`,
        colorOf(band, palette),
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
