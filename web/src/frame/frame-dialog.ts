import { useSyncExternalStore } from 'react';

/** One of these at a time may stand over the page: everything, apps alone, the keys, the name of a view. */
export type FrameDialog = 'palette' | 'apps' | 'keys' | 'view';

let opened: FrameDialog | null = null;
let cause: Element | null = null;
const listeners = new Set<() => void>();

/** Null closes; the focus then goes back to where it was. */
export function openFrameDialog(dialog: FrameDialog | null): void {
  if (opened === null) cause = document.activeElement;
  opened = dialog;
  for (const listener of listeners) listener();
  if (dialog === null && cause instanceof HTMLElement) requestAnimationFrame(returnFocus);
}

function returnFocus(): void {
  if (opened === null && document.activeElement === document.body && cause instanceof HTMLElement)
    cause.focus({ preventScroll: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useFrameDialog(): FrameDialog | null {
  return useSyncExternalStore(subscribe, () => opened);
}
