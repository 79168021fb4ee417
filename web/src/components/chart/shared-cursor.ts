import { useEffect, useId, useSyncExternalStore } from 'react';

interface SharedCursor {
  /** The chart whose pointer or keyboard chose the column. */
  by: string;
  column: string;
}

let current: SharedCursor | null = null;
const listeners = new Set<() => void>();

function share(next: SharedCursor | null): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * The index of the day that another chart of the page points at; null if this chart lacks it.
 * `own` is the index that this chart points at, which the others then show.
 */
export function useSharedCursor(columns: readonly string[], own: number | null): number | null {
  const id = useId();
  const column = own === null ? null : (columns[own] ?? null);
  useEffect(() => {
    if (column === null) return;
    share({ by: id, column });
    return () => {
      if (current?.by === id) share(null);
    };
  }, [id, column]);
  const shared = useSyncExternalStore(subscribe, () => current);
  const index = shared && shared.by !== id ? columns.indexOf(shared.column) : -1;
  return index < 0 ? null : index;
}
