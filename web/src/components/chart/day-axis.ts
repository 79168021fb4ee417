import type { LineSeriesOption } from 'echarts/charts';
import type { DataZoomComponentOption } from 'echarts/components';
import { formatDay } from '#web/format.ts';
import { mixColors } from './mix-colors.ts';
import type { Palette } from './palette.ts';

/** The x axis of a chart over days. */
export function drawDayAxis(days: readonly string[], palette: Palette) {
  return {
    type: 'category' as const,
    data: [...days],
    axisLine: { lineStyle: { color: palette.line } },
    axisTick: { show: false },
    axisLabel: {
      ...labelOf(palette),
      formatter: (day: string) => formatDay(day),
      hideOverlap: true,
      showMaxLabel: true,
    },
  };
}

export const labelOf = (palette: Palette) => ({
  color: palette.muted,
  fontFamily: palette.font,
  fontSize: 11,
});

const minDays = 15;
const sliderHeight = 20;

/** Space below the axis for the zoom slider. Short ranges have none. */
export const zoomFoot = (days: readonly string[]): number =>
  days.length < minDays ? 0 : sliderHeight + 14;

/** Zooming by slider, drag or Ctrl and wheel. Data outside the zoomed range is kept. */
export function drawZoom(days: readonly string[], palette: Palette): DataZoomComponentOption[] {
  if (days.length < minDays) return [];
  const handle = { color: palette.surface, borderColor: palette.muted };
  return [
    {
      type: 'inside',
      filterMode: 'none',
      zoomOnMouseWheel: 'ctrl',
      moveOnMouseWheel: false,
      preventDefaultMouseMove: false,
    },
    {
      type: 'slider',
      filterMode: 'none',
      height: sliderHeight,
      bottom: 4,
      brushSelect: true,
      showDataShadow: false,
      showDetail: false,
      moveHandleSize: 0,
      handleSize: sliderHeight,
      handleStyle: handle,
      emphasis: { handleStyle: { ...handle, borderColor: palette.accent } },
      borderColor: palette.line,
      backgroundColor: 'transparent',
      fillerColor: mixColors(palette.accent, palette.surface, 0.12),
      brushStyle: { color: palette.accent, opacity: 0.2 },
    },
  ];
}

export interface DayEvent {
  date: string;
  label: string;
  /** Values before and after are not comparable: a solid line. */
  isBoundary?: true;
}

const minLabelWidth = 62;
/** The space beside the days, with the labels of the other axis. */
const marginPx = 60;
const characterWidth = 6;

/**
 * Dashed lines on days with events, solid ones on boundaries. A label too close to the previous one
 * is shown only in the tooltip.
 */
export function drawEvents(
  marks: readonly DayEvent[],
  days: readonly string[],
  palette: Palette,
  widthPx: number,
  isInverse = false,
): LineSeriesOption['markLine'] {
  let labelledTo = Number.NEGATIVE_INFINITY;
  const shown = marks
    .filter(({ date }) => days.includes(date))
    .toSorted((a, b) => a.date.localeCompare(b.date));
  return {
    symbol: 'none',
    silent: true,
    animation: false,
    lineStyle: { color: palette.muted, type: 'dashed', width: 1, opacity: 0.6 },
    label: { ...labelOf(palette), opacity: 1, position: isInverse ? 'start' : 'end', distance: 6 },
    data: shown.map(({ date, label, isBoundary }) => {
      const x = (days.indexOf(date) / days.length) * (widthPx - marginPx);
      const half = Math.max(minLabelWidth, label.length * characterWidth) / 2;
      const show = x - half > labelledTo;
      if (show) labelledTo = x + half;
      return {
        xAxis: date,
        label: { show, formatter: label },
        ...(isBoundary && { lineStyle: { color: palette.text, type: 'solid', opacity: 0.7 } }),
      };
    }),
  };
}
