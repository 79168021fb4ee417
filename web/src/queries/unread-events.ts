import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

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
