/** The state in a token of a list that is not a search. */
export interface ListCursor {
  list: 'similar' | 'developer' | 'reviews';
  /** The app, or the developer. */
  about: string;
  country: string;
  /** The ISO instant of the first page, so that later pages continue the same list. */
  at: string;
  offset: number;
}

/** Plain base64url, like the real tokens. */
export function writeListToken({ list, about, country, at, offset }: ListCursor): string {
  return Buffer.from(JSON.stringify(['list', list, about, country, at, offset])).toString(
    'base64url',
  );
}

/** Null for a token that the simulator did not write. */
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
