import { address } from './parsers.ts';

/** The servers of the database. */
export const databaseSettings = {
  DATABASE_URL: {
    parse: address('postgres:', 'postgresql:'),
    fallback: null,
    secret: true,
    meaning:
      'A PostgreSQL server, version 18 or later. Unset: an embedded one in DATA_DIR. A ' +
      'connection pooler in front of it must use session mode.',
  },
  DATABASE_READ_URL: {
    parse: address('postgres:', 'postgresql:'),
    fallback: null,
    secret: true,
    meaning:
      'A streaming replica of DATABASE_URL, for heavy reads and exports. It is used while it ' +
      'has everything that was written before the request; otherwise the primary is used. ' +
      'A connection pooler in front of it must use session mode. Unset: no replica.',
  },
} as const;

interface DatabaseValues {
  DATABASE_URL: string | null;
  DATABASE_READ_URL: string | null;
}

export function findDatabaseSettingErrors(config: DatabaseValues): string[] {
  const { DATABASE_URL: url, DATABASE_READ_URL: readUrl } = config;
  if (readUrl === null) return [];
  if (url === null)
    return ['DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replica'];
  return readUrl === url
    ? ['DATABASE_READ_URL must be the address of a replica, not that of DATABASE_URL itself']
    : [];
}
