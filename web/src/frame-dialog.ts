import { useSyncExternalStore } from 'react';
import { findFocusOrigin, returnFocusTo } from './focus-origin.ts';

/**
 * Only one dialog can be open: the palette, the app search, the shortcuts, the name of a view, or
 * two changes of the same.
 */
export type FrameDialog = 'palette' | 'apps' | 'keys' | 'view' | 'conflict';

let opened: FrameDialog | null = null;
let origin: HTMLElement | null = null;
let leave: (() => void) | undefined;
const listeners = new Set<() => void>();

/**
 * Null closes the dialog; the focus then returns to the previous element. `onLeave` is called when
 * the dialog is closed, or another one is opened instead.
 */
export function openFrameDialog(dialog: FrameDialog | null, onLeave?: () => void): void {
  if (opened === null) origin = findFocusOrigin();
  leave?.();
  leave = onLeave;
  opened = dialog;
  for (const listener of listeners) listener();
  if (dialog === null) requestAnimationFrame(returnFocus);
}

function returnFocus(): void {
  if (opened === null && origin) returnFocusTo(origin);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For code outside of components. */
export const readFrameDialog = (): FrameDialog | null => opened;

export function useFrameDialog(): FrameDialog | null {
  return useSyncExternalStore(subscribe, readFrameDialog);
}
