import { unreadable } from '../store-errors.ts';
import { readText } from '../value-readers.ts';
import { field } from './fields.ts';
import { readRpcPayload } from './frames.ts';

export const hintsRpc = 'IJ4APc';
/** The number of suggestions to request; the store has never returned more than 5. */
export const maxHints = 10;

/**
 * Reads the suggestions for a prefix, in store order; a null payload means that there are none.
 * Checked on the recording of 2026-07 (pand: 5 terms). Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayHints(body: string): string[] {
  const payload = readRpcPayload(body, hintsRpc);
  if (payload === null) return [];
  const list = field(payload, [0, 0]);
  // Each term has a link to its search.
  const links = JSON.stringify(payload).split('"/store/search?q=').length - 1;
  if (!Array.isArray(list) || list.length === 0 || links > list.length)
    throw unreadable('android', 'hints', 'no list of all terms');
  const terms = list.map((entry) => {
    const term = readText(field(entry, [0]), 500);
    if (typeof term !== 'string') throw unreadable('android', 'hint', 'a hint that is not text');
    return term;
  });
  return [...new Set(terms)].slice(0, maxHints);
}
