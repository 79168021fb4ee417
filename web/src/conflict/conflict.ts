import { openFrameDialog } from '#web/frame-dialog.ts';

/** A field that two people changed, as texts. */
export interface ConflictChange {
  label: string;
  theirs: string;
  mine: string;
}
export type Choice = 'mine' | 'theirs' | null;

interface Conflict {
  id: number;
  changes: readonly ConflictChange[];
  choose: (choice: Choice) => void;
}
interface Waiting extends Conflict {
  resolve: (choice: Choice) => void;
}

let lastId = 0;
let waiting: readonly Waiting[] = [];
const listeners = new Set<() => void>();

function update(next: readonly Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

export function subscribeConflict(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The conflict that the dialog of the frame shows. */
export const getConflict = (): Conflict | null => waiting[0] ?? null;

/**
 * Opens the dialog, which shows one conflict after the other. Null when it is closed without a
 * choice.
 */
export function askForChoice(changes: readonly ConflictChange[]): Promise<Choice> {
  return new Promise((resolve) => {
    const choose = (choice: Choice) => {
      resolve(choice);
      update(waiting.filter((other) => other !== conflict));
      if (waiting.length === 0) openFrameDialog(null);
    };
    lastId += 1;
    const conflict = { id: lastId, changes, choose, resolve };
    update([...waiting, conflict]);
    if (waiting.length === 1) openFrameDialog('conflict', cancelAll);
  });
}

function cancelAll(): void {
  const cancelled = waiting;
  update([]);
  for (const { resolve } of cancelled) resolve(null);
}
