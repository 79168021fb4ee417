import type { CustomSeriesOption } from 'echarts/charts';
import type { Cell } from '#web/api.ts';
import type { Palette } from '#web/components/chart/palette.ts';

/** The number of equal days from here on; 0 inside such a range. */
function stretchAt(cells: Cell[], index: number): number {
  const key = (cell: Cell | undefined) =>
    cell ? `${cell.state === 'not_found' ? cell.depth : cell.state}` : '';
  if (key(cells[index - 1]) === key(cells[index])) return 0;
  let end = index;
  while (key(cells[end]) === key(cells[index]) && end < cells.length) end += 1;
  return end - index;
}

/**
 * Shades the area below the checked depth, in which the app must be. The label is at the start of
 * each range.
 */
export function drawBand(cells: Cell[], bottom: number, palette: Palette): CustomSeriesOption {
  let labelledTo = Number.NEGATIVE_INFINITY;
  return {
    type: 'custom',
    silent: true,
    clip: true,
    z: 1,
    data: cells.map((cell, index) => [
      index,
      cell.state === 'not_found' ? cell.depth : 0,
      stretchAt(cells, index),
    ]),
    renderItem(params, api) {
      if (params.dataIndex === 0) labelledTo = Number.NEGATIVE_INFINITY;
      const index = api.value(0) as number;
      const depth = api.value(1) as number;
      const length = api.value(2) as number;
      if (depth === 0 || length === 0) return null;
      const [x = 0, top = 0] = api.coord([index, depth]);
      const [, foot = 0] = api.coord([index, bottom]);
      const width = (api.size!([1, 0]) as number[])[0]!;
      const { x: left, width: plotWidth } = params.coordSys as unknown as {
        x: number;
        width: number;
      };
      const start = Math.max(x - width / 2, left);
      const withText =
        start > labelledTo + 36 && start < left + plotWidth && x + width * (length - 0.5) > left;
      if (withText) labelledTo = start;
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: x - width / 2, y: top, width: width * length, height: foot - top },
            style: { fill: palette.muted, opacity: 0.12 },
          },
          ...(withText
            ? [
                {
                  type: 'text' as const,
                  x: start + 3,
                  y: top + 4,
                  style: {
                    text: `>${depth}`,
                    fill: palette.muted,
                    font: `600 11px ${palette.font}`,
                  },
                },
              ]
            : []),
        ],
      };
    },
  };
}

/** A day without a check: a pale column, no dot and a gap in the line. */
export function drawGaps(cells: Cell[], bottom: number, palette: Palette): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    clip: true,
    z: 0,
    data: cells.map((cell, index) => [
      index,
      cell.state === 'not_checked' ? stretchAt(cells, index) : 0,
    ]),
    renderItem(_params, api) {
      const index = api.value(0) as number;
      const length = api.value(1) as number;
      if (length === 0) return null;
      const [x = 0, top = 0] = api.coord([index, 1]);
      const [, foot = 0] = api.coord([index, bottom]);
      const width = (api.size!([1, 0]) as number[])[0]!;
      return {
        type: 'group',
        children: [
          {
            type: 'rect',
            shape: { x: x - width / 2, y: top, width: width * length, height: foot - top },
            style: { fill: palette.muted, opacity: 0.06 },
          },
          {
            type: 'line',
            shape: {
              x1: x - width / 2 + 1,
              x2: x + width * (length - 0.5) - 1,
              y1: foot - 1,
              y2: foot - 1,
            },
            style: { stroke: palette.muted, lineWidth: 2, opacity: 0.8 },
          },
        ],
      };
    },
  };
}
