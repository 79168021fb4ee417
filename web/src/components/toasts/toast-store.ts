import { useSyncExternalStore, type ReactNode } from 'react';

export interface Toast {
  id: string;
  title?: string | undefined;
  message: ReactNode;
  tone: 'success' | 'failure' | 'neutral';
  isLoading?: boolean;
  /** Null: until somebody closes it. */
  closesAfterMs: number | null;
}

interface QueuedToast extends Toast {
  /** It has been shown, and stays: a second time would be announced again. */
  isShown: boolean;
}

/**
 * The others wait. Toasts of running jobs do not keep others waiting, and neither do failures,
 * which stay until they are closed: the newest replaces the oldest.
 */
const most = { timed: 4, lasting: 2, failures: 2 };

/** Screen readers interrupt for failures, and read everything else in its order. */
export const isUrgent = ({ tone }: Toast): boolean => tone === 'failure';

let toasts: readonly QueuedToast[] = [];
let shown: readonly Toast[] = [];
const listeners = new Set<() => void>();

function change(next: readonly QueuedToast[]): void {
  toasts = showNext(dropOldFailures(next));
  shown = toasts.filter(({ isShown }) => isShown);
  for (const listener of listeners) listener();
}

function kindOf(toast: Toast): keyof typeof most {
  if (toast.closesAfterMs !== null) return 'timed';
  return isUrgent(toast) ? 'failures' : 'lasting';
}

function dropOldFailures(queue: readonly QueuedToast[]): readonly QueuedToast[] {
  const failures = queue.filter((toast) => kindOf(toast) === 'failures');
  const dropped = new Set(failures.slice(0, -most.failures));
  return queue.filter((toast) => !dropped.has(toast));
}

function showNext(queue: readonly QueuedToast[]): QueuedToast[] {
  const count = { timed: 0, lasting: 0, failures: 0 };
  for (const toast of queue) if (toast.isShown) count[kindOf(toast)] += 1;
  return queue.map((toast) => {
    if (toast.isShown || count[kindOf(toast)] >= most[kindOf(toast)]) return toast;
    count[kindOf(toast)] += 1;
    return { ...toast, isShown: true };
  });
}

/** Shows a toast after those that are there, or instead of the one with the same id. */
export function showToast({ id = createId(), ...toast }: Omit<Toast, 'id'> & { id?: string }) {
  change([...toasts.filter((other) => other.id !== id), { id, ...toast, isShown: false }]);
  return id;
}

/** Changes a toast, unless it was closed meanwhile. */
export function updateToast(id: string, changed: Partial<Omit<Toast, 'id'>>): void {
  change(toasts.map((toast) => (toast.id === id ? { ...toast, ...changed } : toast)));
}

export function hideToast(id: string): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Rises when all toasts are hidden. */
let generation = 0;

/** Called when the session ends: toasts name what the next person may not see. */
export function hideAllToasts(): void {
  generation += 1;
  change([]);
}

/** For work that begins now: true once all toasts were hidden. */
export function untilAllHidden(): () => boolean {
  const begun = generation;
  return () => begun !== generation;
}

// Pages without a secure origin have no `randomUUID`.
const createId = (): string => crypto.randomUUID?.() ?? String(Math.random());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The toasts that are shown, in their order. */
export const readToasts = (): readonly Toast[] => shown;

export const useToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, readToasts);
