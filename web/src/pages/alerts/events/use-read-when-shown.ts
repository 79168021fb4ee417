import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { unreadQuery } from '#web/queries/unread-events.ts';
import { useMarkRead } from '#web/queries/use-mark-read.ts';

/**
 * Marks events as read up to the newest one that is shown. Returns the sequence number up to which
 * they were read before, so that new ones stay marked while the page is open; Infinity until it is
 * known.
 */
export function useReadWhenShown(shownSequence: number): number {
  const { data } = useQuery(unreadQuery);
  const [before, setBefore] = useState<number>();
  const markRead = useMarkRead();
  if (before === undefined && data) setBefore(data.readSequence);
  const newest = data?.newestSequence ?? 0;
  useEffect(() => {
    // The list is read apart from the count, and may be older.
    if (data && shownSequence > data.readSequence) markRead?.(shownSequence);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each newest event
  }, [shownSequence, newest]);
  return before ?? Infinity;
}
