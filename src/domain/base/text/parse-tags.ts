import { isStorable } from '#lib/text.ts';
import { invalid } from '../errors.ts';

/** Each tag once, in the given order. Throws invalid_request. */
export function parseTags(tags: string[] | undefined): string[] | undefined {
  tags?.forEach((tag, index) => assertStorable(`tags.${index}`, tag));
  return tags && [...new Set(tags)];
}

/**
 * PostgreSQL stores neither NUL nor lone surrogates, so they are rejected before anything is
 * written.
 */
export function assertStorable(path: string, text: string | null | undefined): void {
  if (typeof text === 'string' && !isStorable(text))
    throw invalid(path, 'no NUL and no lone surrogates');
}
