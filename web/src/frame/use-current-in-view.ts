import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls a menu to its current entry after each navigation and when it is resized. scrollIntoView
 * would also scroll the page.
 */
export function useCurrentInView(): RefObject<HTMLElement | null> {
  const menu = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  useEffect(() => {
    const box = menu.current;
    if (!box) return;
    const show = () => {
      const entry = box.querySelector('[aria-current]');
      if (!entry) return;
      const [outer, inner] = [box.getBoundingClientRect(), entry.getBoundingClientRect()];
      if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
      if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
    };
    show();
    const observer = new ResizeObserver(show);
    observer.observe(box);
    return () => observer.disconnect();
  }, [path]);
  return menu;
}
