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

/** Screen readers interrupt for failures, and read everything else in its order. */
export const isUrgent = ({ tone }: Toast): boolean => tone === 'failure';

let toasts: readonly Toast[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a toast after those that are there, or instead of the one with the same id. */
export function showToast({ id = createId(), ...toast }: Omit<Toast, 'id'> & { id?: string }) {
  change([...toasts.filter((other) => other.id !== id), { id, ...toast }]);
  return id;
}

/** Changes a toast, unless it was closed meanwhile. */
export function updateToast(id: string, changed: Partial<Omit<Toast, 'id'>>): void {
  change(toasts.map((toast) => (toast.id === id ? { ...toast, ...changed } : toast)));
}

export function hideToast(id: string): void {
  change(toasts.filter((toast) => toast.id !== id));
}

// Pages without a secure origin have no `randomUUID`.
const createId = (): string => crypto.randomUUID?.() ?? String(Math.random());

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useToasts = (): readonly Toast[] => useSyncExternalStore(subscribe, () => toasts);
