/** A list is read again page by page: the more of it was brought, the rarer, so that a page left open asks as often as one page would. */
export const paceByPages = (
  beatMs: number,
  data: { pages: readonly unknown[] } | undefined,
): number => beatMs * Math.max(1, data?.pages.length ?? 1);
