import type { EChartsCoreOption } from 'echarts/core';
import { drawDayAxis, drawZoom, labelOf, zoomFoot } from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { formatCount, formatCountry, formatDay, formatDecimal } from '#web/format.ts';
import type { RatingDay } from '#web/queries/reviews.ts';

interface Line {
  country: string;
  days: readonly RatingDay[];
}

/** One line per country; a day without data is a gap. The axis fits the range of the ratings. */
export function buildRatingsOption(
  lines: readonly Line[],
  dates: readonly string[],
  palette: Palette,
): EChartsCoreOption {
  const byDate = lines.map(({ days }) => new Map(days.map((day) => [day.date, day])));
  const lowest = Math.min(...lines.flatMap(({ days }) => days.map(({ rating }) => rating ?? 5)));
  const describe = (index: number): TipLine[] => [
    ['day', formatDay(dates[index]!, true)],
    ...lines.flatMap(({ country }, line): TipLine[] => {
      const day = byDate[line]!.get(dates[index]!);
      if (day?.rating == null) return [];
      const count = day.ratingCount === null ? '' : ` (${formatCount(day.ratingCount)})`;
      return [
        [
          'series',
          `${formatCountry(country)} ${formatDecimal(day.rating, 2)}${count}`,
          palette.series[line]!,
        ],
      ];
    }),
  ];
  return {
    grid: { left: 40, right: 16, top: 16, bottom: 30 + zoomFoot(dates) },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, describe),
    dataZoom: drawZoom(dates, palette),
    xAxis: drawDayAxis(dates, palette),
    yAxis: {
      type: 'value',
      min: Math.max(0, Math.floor(lowest * 10 - 1) / 10),
      max: 5,
      axisLabel: { ...labelOf(palette), formatter: (value: number) => formatDecimal(value, 1) },
      splitLine: { lineStyle: { color: palette.line } },
    },
    series: lines.map(({ country }, line) => ({
      type: 'line',
      name: formatCountry(country),
      connectNulls: false,
      showAllSymbol: true,
      symbol: 'circle',
      symbolSize: dates.length <= 45 ? 5 : 0.1,
      lineStyle: { color: palette.series[line], width: 2 },
      itemStyle: { color: palette.series[line] },
      data: dates.map((date) => byDate[line]!.get(date)?.rating ?? null),
    })),
  };
}
