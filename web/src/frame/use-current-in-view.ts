import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls a menu to its current entry after each navigation. scrollIntoView would also scroll the
 * page.
 */
export function useCurrentInView(): RefObject<HTMLElement | null> {
  const menu = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  useEffect(() => {
    const [box, entry] = [menu.current, menu.current?.querySelector('[aria-current]')];
    if (!box || !entry) return;
    const [outer, inner] = [box.getBoundingClientRect(), entry.getBoundingClientRect()];
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
    if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
  }, [path]);
  return menu;
}
