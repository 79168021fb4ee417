import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ChartProps } from '#web/components/chart/chart.tsx';
import { ColumnCursor } from '#web/components/chart/column-cursor.tsx';
import { DrawnLayer } from '#web/components/chart/layers.tsx';
import { measurePlot } from '#web/components/chart/geometry.ts';
import type { ChartSpec } from '#web/components/chart/spec.ts';

const pointerHook = '#web/components/chart/use-plot-pointer.ts';
const otherCharts = '#web/components/chart/shared-cursor.ts';
/** Its errors are those of a browser. */
const lazyParts = '#web/components/lazy-part.tsx';
const columns = Array.from({ length: 7 }, (_, index) => `2026-11-0${index + 1}`);
const spec: ChartSpec = {
  columns,
  nameColumn: (day) => day,
  axis: { min: 0, max: 5, ticks: [0, 5], format: String },
  layers: [],
  isZoomable: false,
  describe: (index) => [['day', columns.at(index)!.slice(5)]],
};

/** A pointer that was on the last of 90 days, before the chart had seven. */
let Chart: (props: ChartProps) => ReactNode;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(pointerHook, () => ({
    usePlotPointer: () => ({
      pointer: { x: 900, y: 10, index: 89, dragFrom: null, isTouch: false },
      listeners: {},
    }),
  }));
  vi.doMock(otherCharts, () => ({ useSharedCursor: () => null }));
  vi.doMock(lazyParts, () => ({ lazyPart: () => () => null }));
  ({ Chart } = await import('#web/components/chart/chart.tsx'));
});
afterAll(() => {
  vi.doUnmock(pointerHook);
  vi.doUnmock(otherCharts);
  vi.doUnmock(lazyParts);
  vi.resetModules();
});

test('a pointer on a day that the chart no longer has is not described', () => {
  const html = renderToStaticMarkup(createElement(Chart, { spec, label: 'Positions' }));
  expect(html).toContain('aria-label="Positions"');
  expect(html).not.toContain('11-07');
});

test('the keyboard cursor on a day that the chart no longer has goes to the newest', () => {
  const geometry = measurePlot(spec, { width: 600, height: 300 }, { first: 0, last: 6 });
  const html = renderToStaticMarkup(
    createElement(ColumnCursor, {
      spec,
      geometry,
      index: 89,
      onMove: () => {},
      onZoom: undefined,
      onOpen: undefined,
    }),
  );
  expect(html).toContain('aria-valuetext="11-07"');
  expect(html).toContain('aria-valuenow="6"');
});

test('a label that begins on the last days is moved to the left instead of being cut', () => {
  const days = { first: 0, last: 89 };
  const geometry = measurePlot(spec, { width: 600, height: 300 }, days);
  const html = renderToStaticMarkup(
    createElement(DrawnLayer, {
      layer: {
        kind: 'ranges',
        opacity: 1,
        ranges: [
          { from: 10, length: 2, label: '>200' },
          { from: 89, length: 1, label: '>200' },
        ],
      },
      geometry,
    }),
  );
  const at = [...html.matchAll(/<text x="([\d.]+)"/g)].map((found) => Number(found[1]));
  expect(at[0]).toBeCloseTo(geometry.x(10) - geometry.column / 2 + 3);
  expect(at[1]).toBeLessThan(geometry.right - 28);
});
