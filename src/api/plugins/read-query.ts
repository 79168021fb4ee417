import { isStorableText } from './read-json.ts';

/** Represents a value that no schema accepts: undecodable, unstorable or duplicated. */
const refused = Symbol('refused');
const membersMax = 50;

/**
 * A repeated parameter becomes an array, and an undecodable one a symbol. Neither is a string, so
 * validation rejects both.
 */
export function readQuery(text: string): Record<string, unknown> {
  const query = Object.create(null) as Record<string, unknown>;
  if (text === '') return query;
  const pairs = text.split('&', membersMax + 1);
  if (pairs.length > membersMax) return { ...query, '': refused };
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = decode(at < 0 ? '' : pair.slice(at + 1));
    if (typeof name !== 'string') query[''] = refused;
    else query[name] = name in query ? [query[name], value].flat() : value;
  }
  return query;
}

function decode(text: string): string | typeof refused {
  try {
    const value = decodeURIComponent(text.replaceAll('+', ' '));
    return isStorableText(value) ? value : refused;
  } catch {
    return refused;
  }
}
