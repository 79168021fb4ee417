import type { EChartsCoreOption } from 'echarts/core';
import type { LineSeriesOption } from 'echarts/charts';
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
import type { CompetitorHistory } from './use-competitor-histories.ts';

export type Scale = 'linear' | 'log';

export interface HistoryText {
  describe: (day: string, palette: Palette) => TipLine[];
  markOf: (annotation: History['annotations'][number]) => string;
}

type Found = Extract<Cell, { state: 'ranked' | 'not_found' }>;
const isChecked = (cell: Cell): cell is Found => cell.state !== 'not_checked';
const ticks = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200];

/**
 * Days before the first check have no data, so the axis starts with the keyword, but covers at
 * least a week.
 */
function trimHistory(cells: readonly Cell[]): Cell[] {
  const first = cells.findIndex(isChecked);
  return first < 0 ? cells.slice(-7) : cells.slice(Math.max(0, Math.min(first, cells.length - 7)));
}

/**
 * If the worst position is at least twenty times the best, a linear axis would hide small changes.
 */
export function pickScale(cells: readonly Cell[]): Scale {
  const positions = cells.flatMap((cell) => (isChecked(cell) ? [cell.position ?? cell.depth] : []));
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
  const checked = cells.filter(isChecked);
  const competitorPositions = competitors.flatMap((competitor) =>
    cells.map(({ date }) => competitor.positions[date]?.position ?? 0),
  );
  const worst = Math.max(10, ...checked.map((cell) => cell.position ?? 0), ...competitorPositions);
  const deepest = Math.max(
    0,
    ...checked.filter((cell) => cell.position === null).map((cell) => cell.depth),
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

/** The app's own line. Days without a position break it, and a single day is a dot. */
function drawOwn(cells: Cell[], isRoomy: boolean, palette: Palette): LineSeriesOption {
  const isLone = (index: number) =>
    cells[index - 1]?.state !== 'ranked' && cells[index + 1]?.state !== 'ranked';
  return {
    type: 'line',
    z: 4,
    connectNulls: false,
    showAllSymbol: true,
    lineStyle: { color: palette.accent, width: 2 },
    itemStyle: { color: palette.accent },
    symbol: 'circle',
    emphasis: { scale: 1.6 },
    data: cells.map((cell, index) => ({
      value: cell.state === 'ranked' ? cell.position : null,
      symbolSize: isRoomy || isLone(index) ? 5 : 0.1,
    })),
  };
}

/** The app's own line has the accent colour; competitors have the colours after it. */
export const competitorColor = (palette: Palette, index: number): string =>
  palette.series[1 + (index % (palette.series.length - 1))]!;

function drawCompetitor(
  competitor: CompetitorHistory,
  index: number,
  cells: Cell[],
  palette: Palette,
): LineSeriesOption {
  const positionOn = (day: string | undefined) =>
    day === undefined ? null : (competitor.positions[day]?.position ?? null);
  const isLone = (at: number) =>
    positionOn(cells[at - 1]?.date) === null && positionOn(cells[at + 1]?.date) === null;
  const color = competitorColor(palette, index);
  return {
    type: 'line',
    name: competitor.name,
    z: 3,
    connectNulls: false,
    showAllSymbol: true,
    symbol: 'circle',
    lineStyle: { color, width: 1.5 },
    itemStyle: { color },
    data: cells.map(({ date }, at) => ({
      value: positionOn(date),
      symbolSize: isLone(at) ? 4 : 0.1,
    })),
  };
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
  const marks = history.annotations.map((mark): DayEvent => ({
    date: mark.date,
    label: text.markOf(mark),
  }));
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
      {
        ...drawOwn(cells, isRoomy, palette),
        markLine: drawEvents(marks, days, palette, widthPx, true),
      },
      ...competitors.map((competitor, index) => drawCompetitor(competitor, index, cells, palette)),
      {
        type: 'scatter',
        z: 5,
        symbolSize: isRoomy ? 7 : 4,
        itemStyle: { color: palette.surface, borderColor: palette.muted, borderWidth: 1.5 },
        data: cells.flatMap((cell) =>
          cell.state === 'not_found' ? [[cell.date, middle(cell.depth)]] : [],
        ),
      },
    ],
  };
}
