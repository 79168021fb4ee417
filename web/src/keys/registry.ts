/** The group in the dialog of shortcuts. */
export type KeyGroup = 'anywhere' | 'go' | 'rows' | 'page';

export interface KeyCommand {
  /** `?`, `g k` (one after the other) or `mod+k` (Ctrl, or ⌘ on a Mac). */
  keys: string;
  label: string;
  group: KeyGroup;
  run: () => void;
}

const commands: KeyCommand[] = [];
const listeners = new Set<() => void>();
let snapshot: readonly KeyCommand[] = [];

function notify(): void {
  snapshot = commands.filter((command) => findKey(command.keys) === command);
  for (const listener of listeners) listener();
}

/**
 * Registers shortcuts until the returned function is called. The latest registration wins, but
 * shortcuts of a page always win over those of the frame.
 */
export function registerKeys(added: readonly KeyCommand[], isForEveryPage = false): () => void {
  commands.splice(isForEveryPage ? 0 : commands.length, 0, ...added);
  notify();
  return () => {
    for (const command of added) commands.splice(commands.indexOf(command), 1);
    notify();
  };
}

/** Each active key once, with its action. */
export function listKeys(): readonly KeyCommand[] {
  return snapshot;
}

export function subscribeKeys(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function findKey(keys: string): KeyCommand | undefined {
  return commands.findLast((command) => command.keys === keys);
}

export function startsKeySequence(keys: string): boolean {
  return commands.some((command) => command.keys.startsWith(`${keys} `));
}
