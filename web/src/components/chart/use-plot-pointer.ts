import { least } from 'd3-array';
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { useStable } from '../use-stable.ts';
import { columnAt, type ColumnWindow, type Geometry } from './geometry.ts';
import { zoomAround } from './zoom.ts';

/** A shorter movement is a click. */
const dragPx = 6;
/** A second click within it is a double click. */
const doubleClickMs = 250;

export interface PlotPointer {
  x: number;
  y: number;
  index: number;
  /** Where a drag over days began. */
  dragFrom: number | null;
  /** A finger has no cursor: what a click does needs a button. */
  isTouch: boolean;
}

interface Options {
  svg: RefObject<SVGSVGElement | null>;
  geometry: Geometry;
  /** The columns that can be selected; all of them without it. */
  selectable?: readonly number[] | undefined;
  /** Undefined where a chart cannot be zoomed. */
  onZoom?: ((shown: ColumnWindow) => void) | undefined;
  onPick?: ((index: number, stack: number) => void) | undefined;
  /** A click on a column. */
  onOpen?: ((index: number) => void) | undefined;
}

/**
 * The column below the pointer. A drag with the mouse selects the days to zoom to, the wheel zooms
 * with Ctrl, and a double click shows all days again. A single click opens the column.
 */
export function usePlotPointer({ svg, geometry, selectable, onZoom, onPick, onOpen }: Options) {
  const [pointer, setPointer] = useState<PlotPointer | null>(null);
  const [pressedAt, setPressedAt] = useState<number | null>(null);
  const wheel = useStable((event: WheelEvent) => {
    if (!event.ctrlKey || !onZoom || !pointer) return;
    event.preventDefault();
    onZoom(zoomAround(geometry.shown, pointer.index, event.deltaY > 0 ? 1.25 : 0.8));
  });
  useEffect(() => {
    // React's listeners are passive, and the browser would zoom the page.
    const element = svg.current;
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => element?.removeEventListener('wheel', wheel);
  }, [svg, wheel]);
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(opening.current), []);
  const open = (index: number) => {
    clearTimeout(opening.current);
    if (onOpen) opening.current = setTimeout(() => onOpen(index), onZoom ? doubleClickMs : 0);
  };
  const isTouched = pointer !== null;
  useEffect(() => {
    if (!isTouched) return;
    const leave = ({ target }: Event) => {
      if (!svg.current?.closest('[data-chart]')?.contains(target as Node)) setPointer(null);
    };
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, [isTouched, svg]);

  const locate = ({ clientX, clientY, pointerType }: PointerEvent, from: number | null) => {
    const box = svg.current!.getBoundingClientRect();
    const scale = geometry.width / box.width;
    const [x, y] = [(clientX - box.left) * scale, (clientY - box.top) * scale];
    const column = columnAt(geometry, x);
    const index = column === null ? null : nearest(selectable, column);
    const isDrag = onZoom !== undefined && from !== null && Math.abs(x - from) > dragPx;
    setPointer(
      index === null
        ? null
        : { x, y, index, dragFrom: isDrag ? from : null, isTouch: pointerType !== 'mouse' },
    );
    return x;
  };
  return {
    pointer,
    listeners: {
      onPointerMove: (event: PointerEvent) => void locate(event, pressedAt),
      onPointerDown: (event: PointerEvent) => {
        const x = locate(event, null);
        if (event.pointerType === 'mouse' && event.button === 0) setPressedAt(x);
      },
      onPointerUp: (event: PointerEvent) => {
        setPressedAt(null);
        if (!pointer) return;
        const start = pointer.dragFrom === null ? null : columnAt(geometry, pointer.dragFrom);
        if (start !== null && onZoom) {
          const [first, last] = [start, pointer.index].toSorted((a, b) => a - b) as [
            number,
            number,
          ];
          if (last > first) onZoom({ first, last });
          setPointer({ ...pointer, dragFrom: null });
          return;
        }
        const stack = (event.target as Element).closest('[data-stack]')?.getAttribute('data-stack');
        if (stack != null) onPick?.(pointer.index, Number(stack));
        else if (pressedAt !== null && !pointer.isTouch) open(pointer.index);
      },
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        setPressedAt(null);
        if (pointerType === 'mouse') setPointer(null);
      },
      onDoubleClick: () => {
        clearTimeout(opening.current);
        onZoom?.({ first: 0, last: Number.MAX_SAFE_INTEGER });
      },
    },
  };
}

const nearest = (columns: readonly number[] | undefined, column: number): number =>
  columns ? (least(columns, (candidate) => Math.abs(candidate - column)) ?? column) : column;
