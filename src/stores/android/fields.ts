import { unreadable } from '../failures.ts';

/**
 * Play's data are arrays in which the place is the field's number less one. Where fields lie far apart the rest is an
 * object at the end of the array, keyed by the number itself: both forms of one field are read alike.
 */
export function field(value: unknown, path: readonly number[]): unknown {
  let current = value;
  for (const index of path) current = fieldAt(current, index);
  return current;
}

function fieldAt(value: unknown, index: number): unknown {
  if (!Array.isArray(value)) return readSparse(value, index);
  const isTail = index === value.length - 1 && isSparse(value[index]);
  const plain: unknown = isTail ? undefined : value[index];
  return plain ?? readSparse(value.at(-1), index);
}

function isSparse(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readSparse(value: unknown, index: number): unknown {
  const key = String(index + 1);
  return isSparse(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A wrong type where a fact should be means an index moved: nothing of the page is believed. */
export function expectRead<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw unreadable('android', 'type', `${name} has another type`);
  return value;
}

/** Play package names, as in `com.example.app`. */
export function isPackageName(text: unknown): text is string {
  return typeof text === 'string' && text.length <= 150 && /^[a-z]\w*(?:\.[a-z]\w*)+$/i.test(text);
}
