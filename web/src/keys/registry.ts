/** Where the dialog of all keys lists it. */
export type KeyGroup = 'anywhere' | 'go' | 'rows' | 'page';

export interface KeyCommand {
  /** `?`, `g k` (one after the other) or `mod+k` (Ctrl, on a Mac ⌘). */
  keys: string;
  label: string;
  group: KeyGroup;
  run: () => void;
}

const commands: KeyCommand[] = [];
const listeners = new Set<() => void>();
let snapshot: readonly KeyCommand[] = [];

function tell(): void {
  snapshot = commands.filter((command) => findKey(command.keys) === command);
  for (const listener of listeners) listener();
}

/**
 * From now on these keys do this, until the function returned is called. What came last goes before what was there; what
 * is for every page comes after what a page has for itself, whichever was registered first.
 */
export function registerKeys(added: readonly KeyCommand[], isForEveryPage = false): () => void {
  commands.splice(isForEveryPage ? 0 : commands.length, 0, ...added);
  tell();
  return () => {
    for (const command of added) commands.splice(commands.indexOf(command), 1);
    tell();
  };
}

/** Each key once, with what it does now. */
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

export function beginsKey(keys: string): boolean {
  return commands.some((command) => command.keys.startsWith(`${keys} `));
}
