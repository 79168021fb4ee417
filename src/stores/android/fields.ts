import { isAppIdOf } from '../profiles.ts';
import { unreadable } from '../store-errors.ts';
import { androidProfile } from './profile.ts';

/** The value of a field whose record has another form than an array: no reader accepts it. */
const misplaced = Object.freeze({ misplaced: true });

/** 2008, when the store opened: a smaller number of seconds is another number. */
export const firstSeconds = 1_199_145_600;

/**
 * Play's data are arrays in which the index is the field's number minus one. Fields with distant
 * numbers are in an object at the end of the array, with the number itself as the key. This reads
 * both forms.
 */
export function field(value: unknown, path: readonly number[]): unknown {
  let current = value;
  for (const index of path) current = fieldAt(current, index);
  return current;
}

function fieldAt(value: unknown, index: number): unknown {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return hasNumbers(value) ? readSparse(value, index) : misplaced;
  const isTail = index === value.length - 1 && hasNumbers(value[index]);
  const plain: unknown = isTail ? undefined : value[index];
  return plain ?? readSparse(value.at(-1), index);
}

function hasNumbers(value: unknown): boolean {
  return isSparse(value) && Object.keys(value).every((key) => /^\d+$/.test(key));
}

function isSparse(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readSparse(value: unknown, index: number): unknown {
  const key = String(index + 1);
  return isSparse(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** For facts without which nothing else counts: an unexpected type is unreadable. */
export function expectRead<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw unreadable('android', 'type', `${name} has another type`);
  return value;
}

/**
 * The number of a pair of its text and itself: `["4.2", 4.19]`. Null where there is no pair, which
 * may also be empty; no number for a pair without one.
 */
export function numberOf(pair: unknown): unknown {
  if (pair === undefined || pair === null) return null;
  if (Array.isArray(pair) && pair.length === 0) return null;
  return field(pair, [1]) ?? 'a pair without a number';
}

/** Play package names, as in `com.example.app`. */
export function isPackageName(text: unknown): text is string {
  return isAppIdOf(androidProfile, text);
}
