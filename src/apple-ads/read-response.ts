import {
  popularityGenres,
  type PopularityApiRow,
  type PopularityGenre,
} from '#domain/base/ports.ts';

const genres = new Map<string, PopularityGenre>(
  popularityGenres.map((genre) => [genre.toUpperCase(), genre]),
);
const rankMax = 500;

/** The rows of a response; null when it has another form. Live bodies may have further members. */
export function readRows(body: unknown, country: string): (PopularityApiRow | null)[] | null {
  const rows = memberOf(memberOf(body, 'result'), 'rows');
  return Array.isArray(rows) ? rows.map((row) => readRow(row, country)) : null;
}

/** Null for a row that is out of range or of another country. */
function readRow(row: unknown, country: string): PopularityApiRow | null {
  const genre = genres.get(String(memberOf(row, 'genre')));
  const term = memberOf(row, 'searchTerm');
  const rank = readWhole(memberOf(row, 'rankInGenre'), rankMax);
  const popularityInGenre = readWhole(memberOf(row, 'searchPopularityInGenre'), 100);
  const popularity = readWhole(memberOf(row, 'searchPopularity1to100'), 100);
  const level = readWhole(memberOf(row, 'searchPopularity1to5'), 5);
  if (String(memberOf(row, 'countryOrRegion')).toLowerCase() !== country) return null;
  if (genre === undefined || typeof term !== 'string' || rank === null) return null;
  if (popularityInGenre === null || popularity === null || level === null) return null;
  return { genre, term, rank, popularityInGenre, popularity, level };
}

const readWhole = (value: unknown, max: number): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= max ? Number(value) : null;

export interface AdAccount {
  id: string;
  name: string;
}

/** The accounts of a key; `result` may be a bare list. Null when the body has another form. */
export function readAccounts(body: unknown): AdAccount[] | null {
  const result = memberOf(body, 'result');
  const acls = Array.isArray(result) ? result : memberOf(result, 'acls');
  if (!Array.isArray(acls)) return null;
  return acls.flatMap((acl) => {
    const account = memberOf(acl, 'adAccount');
    const id = memberOf(account, 'id');
    const name = memberOf(account, 'name');
    const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
    if (!/^[\w-]{1,64}$/.test(text)) return [];
    return [{ id: text, name: typeof name === 'string' ? name.slice(0, 200) : text }];
  });
}

/** The code of an error body, of the API or of the token endpoint; null without a plain one. */
export function readErrorCode(body: unknown): string | null {
  const error = memberOf(body, 'error');
  const code = typeof error === 'string' ? error : memberOf(error, 'code');
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : null;
}

export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
