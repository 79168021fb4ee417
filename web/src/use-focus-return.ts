import { useCallback, useEffect, useRef, useState } from 'react';
import { findFocusOrigin, returnFocusTo } from './focus-origin.ts';

/**
 * Returns the focus to where it was when this was mounted, unless it has moved on. The library does
 * so only for what is mounted closed and opened later.
 */
export function useFocusReturn(): void {
  const [origin] = useState(findFocusOrigin);
  useEffect(() => () => void (origin && returnFocusTo(origin)), [origin]);
}

/** The same for the content of a dialog that stays mounted while it is closed. */
export function FocusReturn(): null {
  useFocusReturn();
  return null;
}

/**
 * For a button that another copy of it replaces when data arrives: the copy gets the focus that the
 * replaced one had. Returns its ref, and the function that focuses the newest copy.
 */
export function useReplacedFocus<E extends HTMLElement>() {
  const current = useRef<E>(null);
  const hadFocus = useRef(false);
  const ref = useCallback((button: E) => {
    current.current = button;
    if (hadFocus.current) returnFocusTo(button);
    return () => {
      hadFocus.current = document.activeElement === button;
    };
  }, []);
  const focus = useCallback(() => current.current?.focus({ preventScroll: true }), []);
  return [ref, focus] as const;
}
