import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api.ts';
import { unreadQuery } from './unread-events.ts';
import { useWriteAccess } from './write-guard.ts';

/**
 * Marks the events as read that were counted last, at most up to a sequence number. Null when there
 * are none. `onError` is for a click: what is marked because it is shown stays unread without a
 * message.
 */
export function useMarkRead(onError?: (error: unknown) => void): ((upTo?: number) => void) | null {
  const queryClient = useQueryClient();
  const { canWrite } = useWriteAccess();
  const { data } = useQuery(unreadQuery);
  const { mutate } = useMutation({
    mutationFn: (sequence: number) => call('POST /events/read', { body: { sequence } }),
    onSuccess: (unread) => queryClient.setQueryData(unreadQuery.queryKey, unread),
    onError: (error) => onError?.(error),
  });
  return data && data.unread > 0 && canWrite
    ? (upTo = Infinity) => mutate(Math.min(upTo, data.newestSequence))
    : null;
}
