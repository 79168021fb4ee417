import { useCallback, useRef } from 'react';

/** When the card goes with the focus in it, the focus returns to where it came from. */
export function useReturnFocus() {
  const origin = useRef<HTMLElement | null>(null);
  const card = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    return () => {
      if (!element.contains(document.activeElement)) return;
      // After React has removed the card.
      queueMicrotask(() => {
        if (document.activeElement === document.body)
          origin.current?.focus({ preventScroll: true });
      });
    };
  }, []);
  const remember = (from: EventTarget | null) => {
    if (from instanceof HTMLElement && !from.closest('.toasts')) origin.current = from;
  };
  return { card, remember };
}
