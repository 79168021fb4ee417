import { AppError } from '../errors.ts';

/** What PostgreSQL gives up for, by its code. Its own words may quote a row and stay in the log. */
const reasons: Record<string, string> = {
  '57014': 'a statement took the database longer than it may',
  '55P03': 'others held what it had to write for too long',
  '40P01': 'it and others waited for each other',
  '53100': 'the disk of the database is full',
  '53200': 'the database server ran out of memory',
  '53300': 'the database had no connection free',
};
const away = /^(08|57P0)|^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH)/;

/** Why work failed, where that is known and says nothing that only the operator should read; null for all else. */
export function tellFailure(error: unknown): string | null {
  if (error instanceof AppError) return error.message;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? (away.test(code) ? 'the database could not be reached' : null);
}
