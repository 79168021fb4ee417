import type { QueryClient, QueryKey } from '@tanstack/react-query';

const isCounted = ([noun, , part]: QueryKey) => noun === 'apps' && part === 'suggestions';

/**
 * Refreshes all free data. Suggestions are excluded, because they count against the hourly
 * allowance.
 */
export function refreshFreeReads(queryClient: QueryClient, queryKey: QueryKey = []): void {
  void queryClient.invalidateQueries({
    queryKey,
    predicate: (query) => !isCounted(query.queryKey),
  });
}
