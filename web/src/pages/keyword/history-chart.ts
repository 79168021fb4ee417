import { listDays } from '#lib/dates.ts';
import type { PositionAtDepth } from '#lib/format-position.ts';
import type { Cell, History } from '#web/api.ts';
import { colors } from '#web/components/chart/colors.ts';
import type { ChartSpec, DayEvent, LineLayer } from '#web/components/chart/spec.ts';
import type { TipLine } from '#web/components/chart/tip.tsx';
import { positionAxis } from '#web/components/chart/value-axis.ts';
import { isLong } from '#web/components/chart/zoom.ts';
import { comparedLine } from '#web/components/periods/compared-line.ts';
import { formatDay } from '#web/format.ts';
import { notFoundRanges, uncheckedRanges } from './history-ranges.ts';
import { findBoundaries, splitBySegment } from './history-segments.ts';
import type { CompetitorHistory } from './use-competitor-histories.ts';

export type Scale = 'linear' | 'log';

export interface HistoryText {
  describe: (day: string) => TipLine[];
  markOf: (annotation: History['annotations'][number]) => string;
  nameOf: (provider: string) => string;
  positionOf: (cell: PositionAtDepth) => string;
  /** The compared period. */
  comparedName?: string;
}

/** The cells of the compared period by the day that they are drawn on. */
export type ComparedCells = ReadonlyMap<string, Cell>;

/** The position that is drawn on a day, in whatever mark. */
const drawnRank = (cell: Cell): PositionAtDepth | null =>
  cell.state === 'not_checked' ? cell.fallback : cell;
const roomyDays = 45;

/**
 * Days before the first check have no data, so the axis starts with the keyword, but covers at
 * least a week.
 */
function trimHistory(cells: readonly Cell[], compared: ComparedCells | undefined): Cell[] {
  const first = cells.findIndex((cell) => {
    const before = compared?.get(cell.date);
    return drawnRank(cell) ?? (before && drawnRank(before));
  });
  return first < 0 ? cells.slice(-7) : cells.slice(Math.max(0, Math.min(first, cells.length - 7)));
}

/**
 * Every day from the first to the last cell. The API omits days on which the keyword was neither
 * tracked nor imported, and an axis without them would not be one of time.
 */
function listColumns(cells: readonly Cell[]): string[] {
  const [first, last] = [cells[0], cells.at(-1)];
  return first && last ? listDays(first.date, last.date) : [];
}

/**
 * If the worst position is at least twenty times the best, a linear axis would hide small changes.
 */
export function pickScale(cells: readonly Cell[]): Scale {
  const positions = cells.flatMap((cell) => {
    const rank = drawnRank(cell);
    return rank ? [rank.position ?? rank.depth] : [];
  });
  return positions.length > 0 && Math.max(...positions) / Math.min(...positions) > 20
    ? 'log'
    : 'linear';
}

interface Extent {
  /** The lowest known position: found, or not found within a depth. */
  lowest: number;
  /** The end of the axis, with space below the lowest position for not found. */
  bottom: number;
}

function measure(
  cells: readonly Cell[],
  days: readonly string[],
  { competitors, compared, scale }: Pick<HistoryDrawing, 'competitors' | 'compared' | 'scale'>,
): Extent {
  const ranks = cells.flatMap((cell) => drawnRank(cell) ?? []);
  const comparedPositions = days.map((day) => rankedPosition(compared?.get(day)) ?? 0);
  const competitorPositions = competitors.flatMap((competitor) =>
    days.map((day) => competitor.positions[day]?.position ?? 0),
  );
  const worst = Math.max(
    10,
    ...ranks.map(({ position }) => position ?? 0),
    ...competitorPositions,
    ...comparedPositions,
  );
  const deepest = Math.max(
    0,
    ...ranks.filter(({ position }) => position === null).map(({ depth }) => depth),
  );
  const isLog = scale === 'log';
  const bottom =
    deepest > 0
      ? Math.max(deepest * (isLog ? 2.4 : 1.25), worst * 1.1)
      : worst * (isLog ? 1.3 : 1.12);
  return { lowest: Math.max(deepest, worst), bottom: Math.ceil(bottom) };
}

export interface HistoryDrawing {
  history: History;
  competitors: readonly CompetitorHistory[];
  scale: Scale;
  text: HistoryText;
  compared?: ComparedCells | undefined;
}

/** Null for a day without a check or outside the results. */
export const rankedPosition = (cell: Cell | undefined): number | null =>
  cell?.state === 'ranked' ? cell.position : null;

/**
 * Positions by day, with 1 at the top. A line for each segment; days without a position break it.
 */
export function buildHistoryChart({
  history,
  competitors,
  scale,
  text,
  compared,
}: HistoryDrawing): ChartSpec {
  const drawn = trimHistory(history.items, compared);
  const days = listColumns(drawn);
  const byDay = new Map(drawn.map((cell) => [cell.date, cell]));
  const cells = days.map((day) => byDay.get(day));
  const { lowest, bottom } = measure(drawn, days, { competitors, compared, scale });
  const isRoomy = days.length <= roomyDays;
  const middle = (depth: number) =>
    scale === 'log' ? depth * (bottom / depth) ** 0.66 : depth + (bottom - depth) * 0.6;
  const boundaries = findBoundaries(history);
  const drawLines = (
    positions: (number | null)[],
    look: Pick<LineLayer, 'color' | 'width' | 'dot' | 'hasAllDots' | 'name'>,
  ) =>
    splitBySegment(days, positions, boundaries).map((values): LineLayer => ({
      kind: 'line',
      values,
      ...look,
    }));
  return {
    columns: days,
    nameColumn: (day) => formatDay(day),
    isZoomable: isLong(days),
    axis: positionAxis(lowest, bottom, scale === 'log'),
    // A boundary comes first, so that its label is the one that is shown.
    events: [
      ...boundaries.map(({ from, provider }): DayEvent => ({
        date: from,
        label: text.nameOf(provider),
        isBoundary: true,
      })),
      ...history.annotations.map((mark): DayEvent => ({
        date: mark.date,
        label: text.markOf(mark),
      })),
    ],
    layers: [
      uncheckedRanges(cells),
      notFoundRanges(cells, text.positionOf),
      ...(compared
        ? [
            comparedLine(
              text.comparedName ?? '',
              days.map((day) => rankedPosition(compared.get(day))),
            ),
          ]
        : []),
      ...competitors.flatMap((competitor) =>
        drawLines(
          days.map((day) => competitor.positions[day]?.position ?? null),
          {
            name: competitor.name,
            color: competitor.color,
            width: 1.5,
            dot: 4,
            hasAllDots: false,
          },
        ),
      ),
      ...drawLines(cells.map(rankedPosition), {
        color: colors.accent,
        width: 2,
        dot: 5,
        hasAllDots: isRoomy,
      }),
      {
        kind: 'dots',
        shape: 'circle',
        size: isRoomy ? 7 : 4,
        color: colors.muted,
        points: cells.flatMap((cell, column) =>
          cell?.state === 'not_found' ? [{ column, value: middle(cell.depth) }] : [],
        ),
      },
      {
        kind: 'dots',
        shape: 'diamond',
        size: isRoomy ? 10 : 8,
        color: colors.text,
        points: cells.flatMap((cell, column) =>
          cell?.state === 'not_checked' && cell.fallback
            ? [{ column, value: cell.fallback.position ?? middle(cell.fallback.depth) }]
            : [],
        ),
      },
    ],
    describe: (index) => text.describe(days[index]!),
  };
}
