import { useCallback, useRef } from 'react';
import { focusPage, returnFocusTo, watchRemoval } from '#web/focus-origin.ts';

/**
 * When the card goes with the focus in it, the focus returns to where it came from, or to the
 * heading of the page where that is gone.
 */
export function useReturnFocus() {
  const origin = useRef<HTMLElement | null>(null);
  const card = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    return watchRemoval(element, () =>
      origin.current ? returnFocusTo(origin.current) : focusPage(),
    );
  }, []);
  const remember = (from: EventTarget | null) => {
    if (from instanceof HTMLElement && !from.closest('.toasts')) origin.current = from;
  };
  return { card, remember };
}
