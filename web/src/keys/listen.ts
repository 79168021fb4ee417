import { createStored } from '../stored.ts';
import { nameKey } from './key-text.ts';
import { beginsKey, findKey } from './registry.ts';

/** Single letters can be switched off: who dictates or has an unsteady hand would set them off by chance. */
export const singleKeys = createStored('toprung.single-keys', (found) => found !== false);

const sequenceMs = 1_200;
/** Here letters are written, or the library has its own meaning for them. */
const taken =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=listbox], [role=dialog]';

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
  } else if (beginsKey(keys)) remember(keys);
}

function isTaken(target: EventTarget | null): boolean {
  return (
    (target instanceof Element && target.closest(taken) !== null) ||
    document.querySelector('[aria-modal=true]') !== null
  );
}

/** One listener for the whole page. */
export function listenToKeys(): () => void {
  addEventListener('keydown', onKeyDown);
  return () => removeEventListener('keydown', onKeyDown);
}
