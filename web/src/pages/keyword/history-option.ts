import type { EChartsCoreOption } from 'echarts/core';
import type { LineSeriesOption } from 'echarts/charts';
import type { PositionAtDepth } from '#lib/format-position.ts';
import type { Cell, History } from '#web/api.ts';
import {
  drawDayAxis,
  drawEvents,
  drawZoom,
  labelOf,
  zoomFoot,
  type DayEvent,
} from '#web/components/chart/day-axis.ts';
import type { Palette } from '#web/components/chart/palette.ts';
import { drawTip, type TipLine } from '#web/components/chart/tip.ts';
import { drawBand, drawGaps } from './history-band.ts';
import { findBoundaries, splitBySegment } from './history-segments.ts';
import type { CompetitorHistory } from './use-competitor-histories.ts';

export type Scale = 'linear' | 'log';

export interface HistoryText {
  describe: (day: string, palette: Palette) => TipLine[];
  markOf: (annotation: History['annotations'][number]) => string;
  nameOf: (provider: string) => string;
}

/** The position that is drawn on a day, in whatever mark. */
const drawnRank = (cell: Cell): PositionAtDepth | null =>
  cell.state === 'not_checked' ? cell.fallback : cell;
const ticks = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200];

/**
 * Days before the first check have no data, so the axis starts with the keyword, but covers at
 * least a week.
 */
function trimHistory(cells: readonly Cell[]): Cell[] {
  const first = cells.findIndex(drawnRank);
  return first < 0 ? cells.slice(-7) : cells.slice(Math.max(0, Math.min(first, cells.length - 7)));
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

function measure(cells: Cell[], competitors: readonly CompetitorHistory[], scale: Scale): Extent {
  const ranks = cells.flatMap((cell) => drawnRank(cell) ?? []);
  const competitorPositions = competitors.flatMap((competitor) =>
    cells.map(({ date }) => competitor.positions[date]?.position ?? 0),
  );
  const worst = Math.max(10, ...ranks.map(({ position }) => position ?? 0), ...competitorPositions);
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

/** Position 1 is at the top. */
function drawPositionAxis(scale: Scale, { lowest, bottom }: Extent, palette: Palette) {
  const values = scale === 'log' ? { customValues: ticks.filter((tick) => tick <= lowest) } : {};
  return {
    type: scale === 'log' ? 'log' : 'value',
    inverse: true,
    min: 1,
    max: bottom,
    axisLabel: {
      ...labelOf(palette),
      ...values,
      formatter: (value: number) => (value > lowest ? '' : String(value)),
    },
    axisTick: { show: false, ...values },
    splitLine: { lineStyle: { color: palette.line } },
  };
}

interface LineLook {
  color: string;
  width: number;
  dot: number;
  /** Every day has a dot; otherwise only days without neighbours. */
  hasAllDots: boolean;
}

/** A line of one segment. Days without a position break it, and a single day is a dot. */
function drawLine(
  positions: readonly (number | null)[],
  { color, width, dot, hasAllDots }: LineLook,
): LineSeriesOption {
  const isLone = (index: number) =>
    (positions[index - 1] ?? null) === null && (positions[index + 1] ?? null) === null;
  return {
    type: 'line',
    connectNulls: false,
    showAllSymbol: true,
    lineStyle: { color, width },
    itemStyle: { color },
    symbol: 'circle',
    data: positions.map((value, index) => ({
      value,
      symbolSize: hasAllDots || isLone(index) ? dot : 0.1,
    })),
  };
}

function drawOwn(
  lines: readonly (number | null)[][],
  hasAllDots: boolean,
  palette: Palette,
): LineSeriesOption[] {
  const look = { color: palette.accent, width: 2, dot: 5, hasAllDots };
  return lines.map((line) => ({ ...drawLine(line, look), z: 4, emphasis: { scale: 1.6 } }));
}

/** The app's own line has the accent colour; competitors have the colours after it. */
export const competitorColor = (palette: Palette, index: number): string =>
  palette.series[1 + (index % (palette.series.length - 1))]!;

function drawCompetitor(
  competitor: CompetitorHistory,
  lines: readonly (number | null)[][],
  color: string,
): LineSeriesOption[] {
  const look = { color, width: 1.5, dot: 4, hasAllDots: false };
  return lines.map((line) => ({ ...drawLine(line, look), name: competitor.name, z: 3 }));
}

export interface HistoryDrawing {
  history: History;
  competitors: readonly CompetitorHistory[];
  scale: Scale;
  text: HistoryText;
}

export function buildHistoryOption(
  { history, competitors, scale, text }: HistoryDrawing,
  palette: Palette,
  widthPx: number,
): EChartsCoreOption {
  const cells = trimHistory(history.items);
  const days = cells.map((cell) => cell.date);
  const extent = measure(cells, competitors, scale);
  const { bottom } = extent;
  const isRoomy = days.length <= 45;
  const middle = (depth: number) =>
    scale === 'log' ? depth * (bottom / depth) ** 0.66 : depth + (bottom - depth) * 0.6;
  const boundaries = findBoundaries(history);
  const split = (positions: (number | null)[]) => splitBySegment(days, positions, boundaries);
  const [first, ...others] = drawOwn(
    split(cells.map((cell) => (cell.state === 'ranked' ? cell.position : null))),
    isRoomy,
    palette,
  );
  // A boundary comes first, so that its label is the one that is shown.
  const marks = [
    ...boundaries.map(({ from, provider }): DayEvent => ({
      date: from,
      label: text.nameOf(provider),
      isBoundary: true,
    })),
    ...history.annotations.map((mark): DayEvent => ({ date: mark.date, label: text.markOf(mark) })),
  ];
  return {
    grid: { left: 44, right: 16, top: 34, bottom: 30 + zoomFoot(days) },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTip(palette, (index) => text.describe(days[index]!, palette)),
    dataZoom: drawZoom(days, palette),
    xAxis: drawDayAxis(days, palette),
    yAxis: drawPositionAxis(scale, extent, palette),
    series: [
      drawGaps(cells, bottom, palette),
      drawBand(cells, bottom, palette),
      { ...first, markLine: drawEvents(marks, days, palette, widthPx, true) },
      ...others,
      ...competitors.flatMap((competitor, index) =>
        drawCompetitor(
          competitor,
          split(days.map((day) => competitor.positions[day]?.position ?? null)),
          competitorColor(palette, index),
        ),
      ),
      {
        type: 'scatter',
        z: 5,
        symbolSize: isRoomy ? 7 : 4,
        itemStyle: { color: palette.surface, borderColor: palette.muted, borderWidth: 1.5 },
        data: cells.flatMap((cell) =>
          cell.state === 'not_found' ? [[cell.date, middle(cell.depth)]] : [],
        ),
      },
      {
        type: 'scatter',
        z: 5,
        symbol: 'diamond',
        symbolSize: isRoomy ? 10 : 8,
        itemStyle: { color: palette.surface, borderColor: palette.text, borderWidth: 1.5 },
        data: cells.flatMap((cell) =>
          cell.state === 'not_checked' && cell.fallback
            ? [[cell.date, cell.fallback.position ?? middle(cell.fallback.depth)]]
            : [],
        ),
      },
    ],
  };
}
