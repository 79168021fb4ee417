import type { QueryClient, QueryKey } from '@tanstack/react-query';

const isCounted = ([noun, , part]: QueryKey) => noun === 'apps' && part === 'suggestions';

/** Reads again all that is free to read; suggestions count by the hour and may ask the store, so they stay as they are. */
export function refreshFreeReads(queryClient: QueryClient, queryKey: QueryKey = []): void {
  void queryClient.invalidateQueries({
    queryKey,
    predicate: (query) => !isCounted(query.queryKey),
  });
}
