import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusPage } from '#web/focus-origin.ts';
import { readFrameDialog } from '#web/frame-dialog.ts';

/**
 * After navigation, the focus moves to the heading, as after a page load. While the heading is
 * still loading, the focus is on the page itself, and the returned title is announced. A dialog
 * that somebody opened meanwhile keeps the focus.
 */
export function usePageFocus(): string {
  const router = useRouter();
  const [announcement, setAnnouncement] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged || readFrameDialog() !== null) return;
        setAnnouncement(focusPage() ? '' : document.title);
      }),
    [router],
  );
  return announcement;
}
