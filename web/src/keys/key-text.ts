import { isComposing } from './is-composing.ts';

/** Whether this computer has a ⌘ key. */
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/**
 * A pressed key in the notation of the registry: `k`, `?`, `mod+k`. Null if it cannot be a
 * shortcut.
 */
export function nameKey(event: KeyboardEvent): string | null {
  if (isComposing(event) || event.altKey) return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.metaKey || event.ctrlKey)
    return (isMac ? event.metaKey : event.ctrlKey) ? `mod+${key}` : null;
  return key;
}

/** `mod+k` as the key caps `⌘`, `K`; `g k` as `g`, `k`. */
export function splitKeys(keys: string): string[] {
  return keys
    .split(/[ +]/)
    .map((key) =>
      key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : keys.includes('+') ? key.toUpperCase() : key,
    );
}
