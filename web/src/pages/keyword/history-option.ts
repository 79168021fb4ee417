import type { ComposeOption } from 'echarts/core';
import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts';
import type { GridComponentOption, MarkLineComponentOption, TooltipComponentOption } from 'echarts/components';
import type { Cell, History } from '../../api.ts';
import { formatDay } from '../../format.ts';
import { drawBand, drawGaps, type Palette } from './history-band.ts';

export type HistoryOption = ComposeOption<
  LineSeriesOption | ScatterSeriesOption | CustomSeriesOption | GridComponentOption | TooltipComponentOption | MarkLineComponentOption
>;
export type Scale = 'linear' | 'log';

export interface HistoryText {
  describe: (day: string) => HTMLElement;
  annotation: (annotation: History['annotations'][number]) => string;
}

type Found = Extract<Cell, { state: 'ranked' | 'not_found' }>;
const isChecked = (cell: Cell): cell is Found => cell.state !== 'not_checked';
const ticks = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200];

/** Days before the first check tell nothing: the axis begins with the keyword, but never shorter than a week. */
export function trimHistory(cells: readonly Cell[]): Cell[] {
  const first = cells.findIndex(isChecked);
  return first < 0 ? cells.slice(-7) : cells.slice(Math.max(0, Math.min(first, cells.length - 7)));
}

/** A chart whose worst day is twenty times its best hides every small move on a straight axis. */
export function pickScale(cells: readonly Cell[]): Scale {
  const positions = cells.flatMap((cell) => (isChecked(cell) ? [cell.position ?? cell.depth] : []));
  return positions.length > 0 && Math.max(...positions) / Math.min(...positions) > 20 ? 'log' : 'linear';
}

/** Dashed lines where the listing changed; a label too near the one before is left to the tooltip. */
function drawAnnotations(history: History, days: string[], palette: Palette, text: HistoryText, widthPx: number): LineSeriesOption['markLine'] {
  let labelledTo = Number.NEGATIVE_INFINITY;
  const marks = history.annotations.filter(({ date }) => days.includes(date)).toSorted((a, b) => a.date.localeCompare(b.date));
  return {
    symbol: 'none',
    silent: true,
    lineStyle: { color: palette.muted, type: 'dashed', width: 1, opacity: 0.6 },
    label: { color: palette.muted, opacity: 1, fontFamily: palette.font, fontSize: 11, position: 'start', distance: 6 },
    data: marks.map((mark) => {
      const x = (days.indexOf(mark.date) / days.length) * widthPx;
      const show = x > labelledTo + 62;
      if (show) labelledTo = x;
      return { xAxis: mark.date, label: { show, formatter: text.annotation(mark) } };
    }),
  };
}

interface Extent {
  /** The lowest position really known: found, or just not found within a depth. */
  lowest: number;
  /** The foot of the axis; below the lowest there is room for what was not found. */
  bottom: number;
}

function measure(cells: Cell[], scale: Scale): Extent {
  const checked = cells.filter(isChecked);
  const worst = Math.max(10, ...checked.map((cell) => cell.position ?? 0));
  const deepest = Math.max(0, ...checked.filter((cell) => cell.position === null).map((cell) => cell.depth));
  const isLog = scale === 'log';
  const bottom = deepest > 0 ? Math.max(deepest * (isLog ? 2.4 : 1.25), worst * 1.1) : worst * (isLog ? 1.3 : 1.12);
  return { lowest: Math.max(deepest, worst), bottom: Math.ceil(bottom) };
}

/** Days across, positions down: 1 is on top. */
function drawAxes(days: string[], scale: Scale, { lowest, bottom }: Extent, palette: Palette): Pick<HistoryOption, 'xAxis' | 'yAxis'> {
  const label = { color: palette.muted, fontFamily: palette.font, fontSize: 11 };
  const values = scale === 'log' ? { customValues: ticks.filter((tick) => tick <= lowest) } : {};
  return {
    xAxis: {
      type: 'category',
      data: days,
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      axisLabel: { ...label, formatter: (day: string) => formatDay(day), hideOverlap: true, showMaxLabel: true },
    },
    yAxis: {
      type: scale === 'log' ? 'log' : 'value',
      inverse: true,
      min: 1,
      max: bottom,
      axisLabel: { ...label, ...values, formatter: (value: number) => (value > lowest ? '' : String(value)) },
      axisTick: { show: false, ...values },
      splitLine: { lineStyle: { color: palette.line } },
    },
  };
}

function drawTooltip(days: string[], palette: Palette, text: HistoryText): TooltipComponentOption {
  return {
    trigger: 'axis',
    confine: true,
    transitionDuration: 0,
    borderRadius: 10,
    padding: [8, 12],
    extraCssText: 'box-shadow: 0 8px 24px rgb(10 12 20 / 16%)',
    className: 'chart-tip',
    backgroundColor: palette.surface,
    borderColor: palette.line,
    axisPointer: { type: 'line', lineStyle: { color: palette.muted, type: 'solid', width: 1 } },
    formatter: (points) => text.describe(String(days[(Array.isArray(points) ? points[0] : points)?.dataIndex ?? 0])),
  };
}

export function buildHistoryOption(history: History, scale: Scale, palette: Palette, text: HistoryText, widthPx: number): HistoryOption {
  const cells = trimHistory(history.items);
  const days = cells.map((cell) => cell.date);
  const extent = measure(cells, scale);
  const { bottom } = extent;
  const isRoomy = days.length <= 45;
  const middle = (depth: number) => (scale === 'log' ? depth * (bottom / depth) ** 0.66 : depth + (bottom - depth) * 0.6);
  const isLone = (index: number) => cells[index - 1]?.state !== 'ranked' && cells[index + 1]?.state !== 'ranked';
  return {
    animation: false,
    grid: { left: 44, right: 16, top: 34, bottom: 30 },
    textStyle: { fontFamily: palette.font },
    tooltip: drawTooltip(days, palette, text),
    ...drawAxes(days, scale, extent, palette),
    series: [
      drawGaps(cells, bottom, palette),
      drawBand(cells, bottom, palette),
      {
        type: 'line',
        z: 3,
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
        markLine: drawAnnotations(history, days, palette, text, widthPx),
      },
      {
        type: 'scatter',
        z: 4,
        symbolSize: isRoomy ? 7 : 4,
        itemStyle: { color: palette.surface, borderColor: palette.muted, borderWidth: 1.5 },
        data: cells.flatMap((cell) => (cell.state === 'not_found' ? [[cell.date, middle(cell.depth)]] : [])),
      },
    ],
  };
}
