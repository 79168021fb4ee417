import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { useWriteAccess } from './write-guard.ts';

export const unreadQuery = queryOptions({
  queryKey: ['events', 'unread'],
  queryFn: ({ signal }) => call('GET /events/unread', {}, signal),
  refetchInterval: 60_000,
  staleTime: 30_000,
});

const shownUnread = 5;

/** The newest events after a sequence number. */
export const unreadEventsQuery = (after: number) =>
  queryOptions({
    queryKey: ['events', 'unread', after],
    queryFn: ({ signal }) =>
      call(
        'GET /events',
        { query: { since: String(after), order: 'desc', limit: shownUnread } },
        signal,
      ),
  });

/** Marks the events as read that were counted last. Null when there are none. */
export function useMarkRead(): (() => void) | null {
  const queryClient = useQueryClient();
  const { canWrite } = useWriteAccess();
  const { data } = useQuery(unreadQuery);
  const { mutate } = useMutation({
    mutationFn: (sequence: number) => call('POST /events/read', { body: { sequence } }),
    onSuccess: (unread) => queryClient.setQueryData(unreadQuery.queryKey, unread),
  });
  return data && data.unread > 0 && canWrite ? () => mutate(data.newestSequence) : null;
}
