import { useCallback, useLayoutEffect, useRef } from 'react';

/** The same function for ever, doing what the newest one does: rows that were handed it need not be drawn again. */
export function useStable<A extends unknown[]>(
  callback: (...args: A) => void,
): (...args: A) => void {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}
