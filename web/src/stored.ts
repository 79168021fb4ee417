import { useSyncExternalStore } from 'react';

/** A setting of this browser. If storage is blocked, it lasts until the page is left. */
export interface Stored<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/** `read` validates the stored value, which may be missing or from an older version. */
export function createStored<T>(key: string, read: (found: unknown) => T): Stored<T> {
  const listeners = new Set<() => void>();
  let value = read(readStorage(key));
  const notify = (next: T) => {
    value = next;
    for (const listener of listeners) listener();
  };
  addEventListener('storage', (event) => {
    if (event.key === key) notify(read(readStorage(key)));
  });
  return {
    get: () => value,
    set(next) {
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Kept until the page is left.
      }
      notify(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStored<T>(stored: Stored<T>): T {
  return useSyncExternalStore(stored.subscribe, stored.get);
}

function readStorage(key: string): unknown {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
