import { seriesColor } from '#web/components/chart/colors.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { exactAxis } from '#web/components/chart/value-axis.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import { formatCount, formatCountry, formatDay, formatDecimal } from '#web/format.ts';
import type { RatingDay } from '#web/queries/reviews.ts';

const roomyDays = 45;

interface Line {
  country: string;
  days: readonly RatingDay[];
}

/** One line per country; a day without data is a gap. The axis fits the range of the ratings. */
export function buildRatingsChart(lines: readonly Line[], dates: readonly string[]): ChartSpec {
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
          seriesColor(line),
        ],
      ];
    }),
  ];
  return {
    columns: dates,
    nameColumn: (date) => formatDay(date),
    isZoomable: isLong(dates),
    axis: exactAxis(Math.max(0, Math.floor(lowest * 10 - 1) / 10), 5, (rating) =>
      formatDecimal(rating, 1),
    ),
    layers: lines.map((_line, line) => ({
      kind: 'line',
      values: dates.map((date) => byDate[line]!.get(date)?.rating ?? null),
      color: seriesColor(line),
      width: 2,
      dot: 5,
      hasAllDots: dates.length <= roomyDays,
    })),
    describe,
  };
}
