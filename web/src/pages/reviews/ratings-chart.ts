import { listDays } from '#lib/dates.ts';
import { comparedLine } from '#web/components/periods/compared-line.ts';
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
  /** The days of the compared period, by the day on which they are drawn. */
  compared?: ReadonlyMap<string, RatingDay> | undefined;
}

/** One line per country; a day without data is a gap. The axis fits the range of the ratings. */
export function buildRatingsChart(lines: readonly Line[]): ChartSpec {
  const dates = listDrawnDays(lines);
  const byDate = lines.map(({ days }) => new Map(days.map((day) => [day.date, day])));
  const lowest = Math.min(
    ...lines.flatMap(({ days, compared }) =>
      [...days, ...(compared?.values() ?? [])].map(({ rating }) => rating ?? 5),
    ),
  );
  const describe = (index: number): TipLine[] => [
    ['day', formatDay(dates[index]!, true)],
    ...lines.flatMap(({ country }, line): TipLine[] => {
      const day = byDate[line]!.get(dates[index]!);
      if (day?.rating == null) return [];
      const count = day.ratingCount === null ? '' : ` (${formatCount(day.ratingCount)})`;
      const before = lines[line]!.compared?.get(dates[index]!);
      const compared =
        before?.rating == null
          ? ''
          : ` · ${formatDay(before.date, true)} ${formatDecimal(before.rating, 2)}`;
      return [
        [
          'series',
          `${formatCountry(country)} ${formatDecimal(day.rating, 2)}${count}${compared}`,
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
      formatDecimal(rating, 2),
    ),
    layers: [
      ...lines.flatMap(({ country, compared }, line) =>
        compared
          ? {
              ...comparedLine(
                country,
                dates.map((date) => compared.get(date)?.rating ?? null),
              ),
              color: seriesColor(line),
            }
          : [],
      ),
      ...lines.map((_line, line) => ({
        kind: 'line' as const,
        values: dates.map((date) => byDate[line]!.get(date)?.rating ?? null),
        color: seriesColor(line),
        width: 2,
        dot: 5,
        hasAllDots: dates.length <= roomyDays,
      })),
    ],
    describe,
  };
}

/** Every day from the first to the last one with a rating, those without data included. */
function listDrawnDays(lines: readonly Line[]): string[] {
  const known = lines
    .flatMap(({ days, compared }) => [...days.map(({ date }) => date), ...(compared?.keys() ?? [])])
    .toSorted();
  return known.length === 0 ? [] : listDays(known[0]!, known.at(-1)!);
}
