import { Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { memo, useId, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { loadLater } from '#web/later.ts';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../lazy-part.tsx';
import { ColumnNames, ValueLines } from './axes.tsx';
import styles from './chart.module.css';
import { EventLines } from './event-lines.tsx';
import { columnAt, measurePlot, type Geometry } from './geometry.ts';
import { DrawnLayer } from './layers.tsx';
import { useSharedCursor } from './shared-cursor.ts';
import type { ChartSpec } from './spec.ts';
import { Tip, type TipLine } from './tip.tsx';
import { usePlotPointer, type PlotPointer } from './use-plot-pointer.ts';
import { useZoom } from './zoom.ts';

/** A day that somebody clicked, or pressed Enter on. */
export interface OpenDay {
  day: string;
  /** The lines of its tooltip. */
  values: readonly TipLine[];
  /** The foot of its column, in pixels of the chart. */
  x: number;
  y: number;
  onClose: () => void;
}

export interface ChartProps {
  /** Keep it stable with useMemo while its data is the same. */
  spec: ChartSpec;
  /** Describes the chart in one sentence for screen readers. */
  label: string;
  height?: number;
  /** Called with the index of the selected column and of its stack. */
  onPick?: ((index: number, stack: number) => void) | undefined;
  /** Shows the annotations of a day; days cannot be opened without it. */
  openDay?: ((day: OpenDay) => ReactNode) | undefined;
  /** For saving the chart as an image. */
  picture?: RefObject<SVGSVGElement | null>;
}

const sliderPx = 26;

const ChartControls = lazyPart(async () => (await loadLater()).ChartControls);
/** The drawing is worth reading without them. */
const goWithout = () => undefined;

/**
 * A chart over days or groups, drawn as SVG with the colours of the page. The day that it points at
 * is shown in the other charts of the page too.
 */
export function Chart({ spec, label, height = 300, onPick, openDay, picture }: ChartProps) {
  const own = useRef<SVGSVGElement>(null);
  const svg = picture ?? own;
  const { ref, width } = useElementSize();
  const [shown, zoom] = useZoom(spec.columns);
  const [keyed, setKeyed] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const { first, last } = shown;
  const drawnHeight = height - (spec.isZoomable ? sliderPx : 0);
  const geometry = useMemo(
    () => measurePlot(spec, { width, height: drawnHeight }, { first, last }),
    [spec, width, drawnHeight, first, last],
  );
  const onZoom = spec.isZoomable ? zoom : undefined;
  const onOpen = openDay ? setOpened : undefined;
  const { pointer: latest, listeners } = usePlotPointer({
    svg,
    geometry,
    selectable: spec.selectable,
    onZoom,
    onPick,
    onOpen,
  });
  // The chart may have got fewer days since the pointer moved.
  const pointer = latest && isShown(latest.index, geometry) ? latest : null;
  const at = pointer?.index ?? keyed ?? opened;
  const elsewhere = useSharedCursor(spec.columns, at);
  const index = at ?? elsewhere;
  const cursor =
    pointer ?? (index !== null && isShown(index, geometry) ? restAt(index, geometry) : null);
  const lines = cursor && cursor.dragFrom === null ? spec.describe(cursor.index) : [];
  const day = opened === null ? undefined : spec.columns[opened];
  return (
    <div ref={ref} className={styles.chart} style={{ height }} data-chart>
      <div className={styles.drawing} style={{ height: drawnHeight }}>
        <div role="img" aria-label={label}>
          <svg
            ref={svg}
            width={width}
            height={drawnHeight}
            viewBox={`0 0 ${width} ${drawnHeight}`}
            className={openDay ? styles.pickable : undefined}
            {...listeners}
          >
            {width > 0 && <Plot spec={spec} geometry={geometry} />}
            {cursor && <Cursor pointer={cursor} geometry={geometry} />}
          </svg>
        </div>
        {cursor && lines.length > 0 && day === undefined && (
          <Tip lines={lines} x={cursor.x} y={cursor.y}>
            {openDay && at !== null && (
              <AnnotateHint
                isTouch={pointer?.isTouch ?? false}
                onPress={() => setOpened(cursor.index)}
              />
            )}
          </Tip>
        )}
        {opened !== null &&
          day !== undefined &&
          openDay?.({
            day,
            values: spec.describe(opened),
            x: Math.min(Math.max(geometry.x(opened), geometry.left), geometry.right),
            y: geometry.bottom,
            onClose: () => setOpened(null),
          })}
      </div>
      <ChartControls
        spec={spec}
        geometry={geometry}
        index={keyed}
        onMove={setKeyed}
        onZoom={onZoom}
        onOpen={onOpen}
        onFail={goWithout}
      />
    </div>
  );
}

const isShown = (index: number, { shown }: Geometry): boolean =>
  index >= shown.first && index <= shown.last;

/** A cursor without a pointer. */
const restAt = (index: number, { x, top }: Geometry): PlotPointer => ({
  x: x(index),
  y: top,
  index,
  dragFrom: null,
  isTouch: false,
});

/** A mouse clicks the day itself; a finger needs a button. */
function AnnotateHint({ isTouch, onPress }: { isTouch: boolean; onPress: () => void }): ReactNode {
  const { t } = useTranslation();
  if (!isTouch) return <div className={styles.note}>{t('chart.annotateHint')}</div>;
  return (
    <Button className={`touch ${styles.annotate}`} variant="default" size="xs" onClick={onPress}>
      {t('timeline.kind.annotation')}
    </Button>
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
