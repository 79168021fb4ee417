/** The state in a token of a list that is not a search. */
export interface ListCursor {
  list: 'similar' | 'developer' | 'reviews';
  /** The app, or the developer. */
  about: string;
  country: string;
  /** ISO instant of the first page: the pages after it are of the same list. */
  at: string;
  offset: number;
}

/** Plain base64url, as the real tokens are. */
export function writeListToken({ list, about, country, at, offset }: ListCursor): string {
  return Buffer.from(JSON.stringify(['list', list, about, country, at, offset])).toString(
    'base64url',
  );
}

/** Null for anything that is not a token of ours. */
export function readListToken(token: unknown): ListCursor | null {
  if (typeof token !== 'string' || !/^[\w-]{8,4000}$/.test(token)) return null;
  try {
    const [mark, list, about, country, at, offset] = JSON.parse(
      Buffer.from(token, 'base64url').toString(),
    ) as unknown[];
    if (mark !== 'list' || (list !== 'similar' && list !== 'developer' && list !== 'reviews'))
      return null;
    if (
      typeof about !== 'string' ||
      typeof country !== 'string' ||
      typeof at !== 'string' ||
      typeof offset !== 'number'
    )
      return null;
    return Number.isNaN(Date.parse(at)) ? null : { list, about, country, at, offset };
  } catch {
    return null;
  }
}
