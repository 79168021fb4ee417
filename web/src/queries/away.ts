import { queryOptions } from '@tanstack/react-query';

/**
 * Texts that say that the server does not respond; null while it does. `web/src/offline` writes
 * them.
 */
export const awayQuery = queryOptions({
  queryKey: ['away'],
  queryFn: (): { title: string; text: string } | null => null,
  enabled: false,
  staleTime: Infinity,
});
