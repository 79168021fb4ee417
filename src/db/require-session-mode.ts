import type pg from 'pg';
import { SetupError } from '#lib/setup-error.ts';
import { withClient } from './driver/with-client.ts';

/** While others use a pooler, a connection may have its session again by chance in any of them. */
const rounds = 50;
const options = { applicationName: 'toprung-start', queryTimeoutMs: 10_000 };

export const sharedSessions =
  'The connection pooler at DATABASE_URL gives one session of PostgreSQL to several connections ' +
  '(transaction or statement mode). The role and the locks of one connection would then be those ' +
  'of another.';
export const sessionModeRemedy =
  'Set pool_mode = session in PgBouncer, or set DATABASE_URL to the server itself.';

/** Throws SetupError behind a pooler that does not give each connection a session of its own. */
export async function requireSessionMode(url: string): Promise<void> {
  if (!(await keepsSessions(url))) throw new SetupError(`${sharedSessions} ${sessionModeRemedy}`);
}

/**
 * Whether a connection keeps its session of PostgreSQL. Always true without a pooler, where the
 * server itself names the process that the connection has.
 */
export async function keepsSessions(url: string): Promise<boolean> {
  return withClient(
    url,
    async (first) => {
      const { processID } = first as pg.Client & { processID: number };
      if ((await readPid(first)) === processID) return true;
      return withClient(url, (second) => compareSessions(first, second), options);
    },
    options,
  );
}

/** While one connection is in a transaction, the other one must still have its session. */
async function compareSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    const before = await readPid(first);
    try {
      await second.query('begin');
    } catch (error) {
      if (/statement pooling/i.test((error as Error).message)) return false;
      throw error;
    }
    const other = await readPid(second);
    if (other === before || (await readPid(first)) !== before) return false;
    await second.query('rollback');
  }
  return true;
}

async function readPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
