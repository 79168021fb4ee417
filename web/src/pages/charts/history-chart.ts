import type { TFunction } from 'i18next';
import { listDays } from '#lib/dates.ts';
import { formatPosition } from '#lib/format-position.ts';
import { colors } from '#web/components/chart/colors.ts';
import type { ChartSpec, LineLayer } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { positionAxis } from '#web/components/chart/value-axis.ts';
import { comparedColor, comparedLine } from '#web/components/periods/compared-line.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import { formatDay, formatInstant } from '#web/format.ts';
import type { CategoryRank } from '#web/queries/charts.ts';
import type { CompetitorRanks } from './use-competitor-ranks.ts';

export interface ChartHistoryDrawing {
  /** The ranks of every day. */
  cells: readonly CategoryRank[];
  /** The compared period by the day that it is drawn on. */
  compared: ReadonlyMap<string, CategoryRank> | undefined;
  competitors: readonly CompetitorRanks[];
}

/**
 * A cell for every day from the first to the last one. The API omits days on which the app did not
 * track the chart, and an axis without them would not be one of time.
 */
export function fillDays(cells: readonly CategoryRank[]): CategoryRank[] {
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return [];
  const { country, category, chart } = first;
  const byDay = new Map(cells.map((cell) => [cell.date, cell]));
  return listDays(first.date, last.date).map(
    (date) =>
      byDay.get(date) ??
      ({ date, country, category, chart, state: 'not_checked', reason: 'not_yet_run' } as const),
  );
}

/**
 * Chart positions by day, with 1 at the top. A day outside the chart is a hollow dot at the bottom;
 * a day without data is a gap.
 */
export function buildChartHistory(
  { cells, compared, competitors }: ChartHistoryDrawing,
  t: TFunction,
): ChartSpec {
  const days = cells.map(({ date }) => date);
  const read = cells.filter((cell) => cell.state !== 'not_checked');
  const before = cells.map(({ date }) => compared?.get(date));
  const lowest = Math.max(
    10,
    ...read.map(({ position, depth }) => position ?? depth),
    ...before.map((cell) => rankedPosition(cell) ?? 0),
    ...competitors.flatMap(({ ranks }) => days.map((day) => rankedPosition(ranks[day]) ?? 0)),
  );
  const foot = Math.ceil(lowest * 1.15);
  const describe = (index: number): TipLine[] => {
    const cell = cells[index];
    if (!cell) return [];
    if (cell.state === 'not_checked')
      return [
        ['day', formatDay(cell.date, true)],
        ['gap', t(`charts.gap.${cell.reason}`)],
        ...describeCompared(before[index]),
        ...describeCompetitors(competitors, cell.date),
      ];
    return [
      ['day', formatDay(cell.date, true)],
      ['value', formatPosition(cell)],
      ['note', t('charts.depth', { count: cell.depth })],
      ['note', formatInstant(cell.checkedAt)],
      ...describeCompared(before[index]),
      ...describeCompetitors(competitors, cell.date),
    ];
  };
  return {
    columns: days,
    nameColumn: (day) => formatDay(day),
    isZoomable: isLong(days),
    axis: positionAxis(lowest, foot),
    layers: [
      ...(compared ? [comparedLine(t('column.position'), before.map(rankedPosition))] : []),
      ...competitors.map(({ name, color, ranks }): LineLayer => ({
        kind: 'line',
        name,
        values: days.map((day) => rankedPosition(ranks[day])),
        color,
        width: 1.5,
        dot: 4,
        hasAllDots: false,
      })),
      {
        kind: 'line',
        values: cells.map(rankedPosition),
        color: colors.accent,
        width: 2,
        dot: 5,
        hasAllDots: true,
      },
      {
        kind: 'dots',
        shape: 'circle',
        size: 7,
        color: colors.muted,
        points: cells.flatMap((cell, column) =>
          cell.state === 'not_found' ? [{ column, value: (cell.depth + foot) / 2 }] : [],
        ),
      },
    ],
    describe,
  };
}

/** Null for a day without data or outside the chart. */
export const rankedPosition = (cell: CategoryRank | undefined): number | null =>
  cell?.state === 'ranked' ? cell.position : null;

function describeCompared(cell: CategoryRank | undefined): TipLine[] {
  if (!cell) return [];
  const position = formatPosition(cell.state === 'not_checked' ? null : cell);
  return [['series', `${formatDay(cell.date, true)}: ${position}`, comparedColor]];
}

const describeCompetitors = (competitors: readonly CompetitorRanks[], day: string): TipLine[] =>
  competitors.map(({ name, color, ranks }) => {
    const rank = ranks[day];
    const position = formatPosition(!rank || rank.state === 'not_checked' ? null : rank);
    return ['series', `${name}: ${position}`, color];
  });
