import { useElementSize } from '@mantine/hooks';
import { memo, useId, useMemo, useRef, type RefObject } from 'react';
import { ColumnNames, ValueLines } from './axes.tsx';
import styles from './chart.module.css';
import { EventLines } from './event-lines.tsx';
import { columnAt, measurePlot, type Geometry } from './geometry.ts';
import { DrawnLayer } from './layers.tsx';
import type { ChartSpec } from './spec.ts';
import { Tip } from './tip.tsx';
import { usePlotPointer, type PlotPointer } from './use-plot-pointer.ts';
import { ZoomSlider } from './zoom-slider.tsx';
import { useZoom } from './zoom.ts';

export interface ChartProps {
  /** Keep it stable with useMemo while its data is the same. */
  spec: ChartSpec;
  /** Describes the chart in one sentence for screen readers. */
  label: string;
  height?: number;
  /** Called with the index of the selected column and of its stack. */
  onPick?: ((index: number, stack: number) => void) | undefined;
  /** For saving the chart as an image. */
  picture?: RefObject<SVGSVGElement | null>;
}

const sliderPx = 26;

/** A chart over days or groups, drawn as SVG with the colours of the page. */
export function Chart({ spec, label, height = 300, onPick, picture }: ChartProps) {
  const own = useRef<SVGSVGElement>(null);
  const svg = picture ?? own;
  const { ref, width } = useElementSize();
  const [shown, zoom] = useZoom(spec.columns);
  const { first, last } = shown;
  const drawnHeight = height - (spec.isZoomable ? sliderPx : 0);
  const geometry = useMemo(
    () => measurePlot(spec, { width, height: drawnHeight }, { first, last }),
    [spec, width, drawnHeight, first, last],
  );
  const onZoom = spec.isZoomable ? zoom : undefined;
  const { pointer, listeners } = usePlotPointer({
    svg,
    geometry,
    selectable: spec.selectable,
    onZoom,
    onPick,
  });
  const lines = pointer && pointer.dragFrom === null ? spec.describe(pointer.index) : [];
  return (
    <div ref={ref} className={styles.chart} style={{ height }}>
      <div role="img" aria-label={label} className={styles.drawing} style={{ height: drawnHeight }}>
        <svg
          ref={svg}
          width={width}
          height={drawnHeight}
          viewBox={`0 0 ${width} ${drawnHeight}`}
          {...listeners}
        >
          {width > 0 && <Plot spec={spec} geometry={geometry} />}
          {pointer && <Cursor pointer={pointer} geometry={geometry} />}
        </svg>
        {pointer && lines.length > 0 && <Tip lines={lines} x={pointer.x} y={pointer.y} />}
      </div>
      {spec.isZoomable && (
        <ZoomSlider
          columns={spec.columns}
          nameColumn={spec.nameColumn}
          shown={shown}
          onZoom={zoom}
        />
      )}
    </div>
  );
}

/** All that does not follow the pointer. */
const Plot = memo(function Plot({ spec, geometry }: { spec: ChartSpec; geometry: Geometry }) {
  const clip = useId();
  const { left, right, height } = geometry;
  return (
    <>
      <clipPath id={clip}>
        <rect x={left} y={0} width={right - left} height={height} />
      </clipPath>
      <ValueLines axis={spec.axis} geometry={geometry} />
      <ColumnNames spec={spec} geometry={geometry} />
      <g clipPath={`url(#${clip})`}>
        {spec.layers.map((layer, index) => (
          <DrawnLayer key={index} layer={layer} geometry={geometry} />
        ))}
      </g>
      {spec.events && <EventLines events={spec.events} days={spec.columns} geometry={geometry} />}
    </>
  );
});

/** The selected column, or the days that a drag has selected. */
function Cursor({ pointer, geometry }: { pointer: PlotPointer; geometry: Geometry }) {
  const { top, bottom, x, column } = geometry;
  const middle = x(pointer.index);
  if (pointer.dragFrom === null)
    return <line x1={middle} x2={middle} y1={top} y2={bottom} className={styles.cursor} />;
  const start = x(columnAt(geometry, pointer.dragFrom) ?? pointer.index);
  const from = Math.min(start, middle) - column / 2;
  const width = Math.abs(start - middle) + column;
  return <rect x={from} y={top} width={width} height={bottom - top} className={styles.selection} />;
}
