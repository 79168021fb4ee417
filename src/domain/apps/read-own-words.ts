import { isStorable } from '../../lib/text.ts';
import { invalid } from '../errors.ts';

/** Each tag once, in the order given. Throws invalid_request. */
export function readTags(tags: string[] | undefined): string[] | undefined {
  tags?.forEach((tag, index) => requireStorable(`tags.${index}`, tag));
  return tags && [...new Set(tags)];
}

/** PostgreSQL holds neither NUL nor halves of surrogate pairs; said before anything is written. */
export function requireStorable(path: string, text: string | null | undefined): void {
  if (typeof text === 'string' && !isStorable(text))
    throw invalid(path, 'no NUL and no halves of surrogate pairs');
}
