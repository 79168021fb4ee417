import { unreadable } from '../failures.ts';
import { readText } from '../shape.ts';
import { field } from './fields.ts';
import { readRpcPayload } from './frames.ts';

export const hintsRpc = 'IJ4APc';
/** As many as are asked for; the store has never given more than 5. */
export const maxHints = 10;

/**
 * Reads what is offered for a prefix, in store order; a null payload is the store's way to offer nothing.
 * Checked on the recording of 2026-07 (pand: 5 terms). Throws StoreError `refused` or `unreadable`.
 */
export function parsePlayHints(body: string): string[] {
  const payload = readRpcPayload(body, hintsRpc);
  if (payload === null) return [];
  const list = field(payload, [0, 0]);
  if (!Array.isArray(list)) throw unreadable('android', 'hints', 'no list of terms');
  const terms = list.map((entry) => {
    const term = readText(field(entry, [0]), 500);
    if (typeof term !== 'string') throw unreadable('android', 'hint', 'a hint that is not text');
    return term;
  });
  return [...new Set(terms)].slice(0, maxHints);
}
