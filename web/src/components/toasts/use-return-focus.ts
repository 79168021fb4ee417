import { useCallback, useRef } from 'react';

const isLost = () => document.activeElement === document.body;

/**
 * When the card goes with the focus in it, the focus returns to where it came from, or to the
 * heading of the page where that is gone.
 */
export function useReturnFocus() {
  const origin = useRef<HTMLElement | null>(null);
  const card = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    return () => {
      if (!element.contains(document.activeElement)) return;
      // After React has removed the card.
      queueMicrotask(() => {
        if (isLost()) origin.current?.focus({ preventScroll: true });
        if (!isLost()) return;
        const heading = document.querySelector<HTMLElement>('#main h1');
        heading?.setAttribute('tabindex', '-1');
        heading?.focus({ preventScroll: true });
      });
    };
  }, []);
  const remember = (from: EventTarget | null) => {
    if (from instanceof HTMLElement && !from.closest('.toasts')) origin.current = from;
  };
  return { card, remember };
}
