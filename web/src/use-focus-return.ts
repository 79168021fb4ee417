import { useEffect, useState } from 'react';
import { findFocusOrigin } from './focus-origin.ts';

/**
 * Returns the focus to where it was when this was mounted, unless it has moved on. The library does
 * so only for what is mounted closed and opened later.
 */
export function useFocusReturn(): void {
  const [origin] = useState(findFocusOrigin);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) origin?.focus({ preventScroll: true });
    },
    [origin],
  );
}

/** The same for the content of a dialog that stays mounted while it is closed. */
export function FocusReturn(): null {
  useFocusReturn();
  return null;
}
