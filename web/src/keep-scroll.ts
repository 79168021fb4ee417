import type { ParsedLocation } from '@tanstack/react-router';

/**
 * A choice in the address of the same page leaves the page where it is. Another page begins at its
 * top, or where it was left.
 */
export function createScrollRestoration(): (to: { location: ParsedLocation }) => boolean {
  let shown: string | null = null;
  return ({ location: { pathname, hash } }) => {
    const isSamePage = pathname === shown;
    shown = pathname;
    return !isSamePage || hash !== '';
  };
}
