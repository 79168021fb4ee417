import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

/**
 * Scrolls a menu or a row of tabs to its current entry, after each navigation and when it is
 * resized. scrollIntoView would also scroll the page, and the next Tab would start from there and
 * miss the skip link. `current` is an entry that the path does not determine.
 */
export function useCurrentInView(current?: string): RefObject<HTMLElement | null> {
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
      box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    };
    // Called at once, too, when the page has been laid out anyway.
    const observer = new ResizeObserver(show);
    observer.observe(box);
    return () => observer.disconnect();
  }, [path, current]);
  return menu;
}
