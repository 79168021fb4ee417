import { useEffect, useState } from 'react';

/** A menu closes when one of its items opens something; its button stays. */
function findOrigin(): HTMLElement | null {
  const focused = document.activeElement;
  const menu = focused?.closest('[role="menu"]');
  const origin = menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : focused;
  return origin instanceof HTMLElement ? origin : null;
}

/**
 * Returns the focus to where it was when this was mounted, unless it has moved on. The library does
 * so only for what is mounted closed and opened later.
 */
export function useFocusReturn(): void {
  const [origin] = useState(findOrigin);
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
