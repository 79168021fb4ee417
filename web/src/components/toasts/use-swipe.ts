import { useState, type PointerEvent } from 'react';

/** A shorter way is a tap on a button of the card. */
const dragPx = 8;
const closePx = 72;

/** Calls `onAway` when a finger pushes the element to a side far enough. */
export function useSwipe(onAway: () => void) {
  const [startX, setStartX] = useState<number | null>(null);
  const end = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    setStartX(null);
    currentTarget.style.removeProperty('translate');
  };
  const wayOf = ({ clientX }: PointerEvent<HTMLElement>) =>
    startX === null ? 0 : clientX - startX;
  return {
    isHeld: startX !== null,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) =>
        event.pointerType !== 'mouse' && setStartX(event.clientX),
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const way = wayOf(event);
        if (Math.abs(way) > dragPx) event.currentTarget.style.translate = `${way}px`;
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        const isAway = Math.abs(wayOf(event)) >= closePx;
        end(event);
        if (isAway) onAway();
      },
      onPointerCancel: end,
    },
  };
}
