import { useSyncExternalStore } from 'react';

/** A field that two people changed, as texts. */
export interface ConflictChange {
  label: string;
  theirs: string;
  mine: string;
}
export type Choice = 'mine' | 'theirs' | null;

interface Conflict {
  changes: readonly ConflictChange[];
  choose: (choice: Choice) => void;
}

let current: Conflict | null = null;
const listeners = new Set<() => void>();

function show(conflict: Conflict | null): void {
  current = conflict;
  for (const listener of listeners) listener();
}

/** Opens the dialog of the frame. Null when it is closed without a choice. */
export function askForChoice(changes: readonly ConflictChange[]): Promise<Choice> {
  return new Promise((resolve) => {
    show({
      changes,
      choose(choice) {
        show(null);
        resolve(choice);
      },
    });
  });
}

export function useConflict(): Conflict | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
