/** The polling interval of a list grows with its loaded pages, because each page is one request. */
export const pollIntervalByPages = (
  pollIntervalMs: number,
  data: { pages: readonly unknown[] } | undefined,
): number => pollIntervalMs * Math.max(1, data?.pages.length ?? 1);
