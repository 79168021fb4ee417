import { createStored } from '../stored.ts';
import { nameKey } from './key-text.ts';
import { startsKeySequence, findKey } from './registry.ts';

/**
 * Single letters can be turned off for people who would trigger them by accident, for example by
 * dictating.
 */
export const singleKeys = createStored('toprung.single-keys', (found) => found !== false);

const sequenceMs = 1_200;
/** Fields in which letters are text or the library handles keys. */
const taken =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], ' +
  '[role=menu], [role=listbox], [role=dialog]';

let first = '';
let timer: ReturnType<typeof setTimeout> | undefined;

function remember(keys: string): void {
  clearTimeout(timer);
  first = keys;
  if (keys) timer = setTimeout(() => remember(''), sequenceMs);
}

function onKeyDown(event: KeyboardEvent): void {
  const key = event.defaultPrevented ? null : nameKey(event);
  if (key === null || key === 'Shift') return;
  const isPlain = !key.startsWith('mod+');
  if (isPlain && (!singleKeys.get() || isTaken(event.target))) return remember('');
  const keys = first ? `${first} ${key}` : key;
  remember('');
  const command = findKey(keys) ?? findKey(key);
  if (command) {
    event.preventDefault();
    command.run();
  } else if (startsKeySequence(keys)) remember(keys);
}

function isTaken(target: EventTarget | null): boolean {
  return (
    (target instanceof Element && target.closest(taken) !== null) ||
    document.querySelector('[aria-modal=true]') !== null
  );
}

/** One listener for the whole page. */
export function listenForKeys(): () => void {
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}
