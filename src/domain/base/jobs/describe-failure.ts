import { TimeoutError } from '#lib/time-limit.ts';
import { AppError } from '../errors.ts';

/**
 * PostgreSQL error codes and their meaning. Its messages may quote a row, so they stay in the log.
 */
const reasons: Record<string, string> = {
  '57014': 'the database cancelled a slow statement',
  '55P03': 'waited too long for a database lock',
  '40P01': 'deadlock in the database',
  '53100': 'the disk of the database is full',
  '53200': 'the database server ran out of memory',
  '53300': 'the database had no free connection',
};
const away = /^(08|57P0)|^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH)/;

/** The reason of a failure when it is known and safe to show; null otherwise. */
export function describeFailure(error: unknown): string | null {
  if (error instanceof AppError) return error.message;
  if (error instanceof TimeoutError) return 'it exceeded its time limit';
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? (away.test(code) ? 'the database could not be reached' : null);
}
