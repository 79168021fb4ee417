import type { Config } from '../config/env.ts';
import { openDatabase } from '../db/database.ts';
import { openPool } from '../db/pool.ts';
import { createRecovery } from '../domain/accounts/forgot-password.ts';
import { resetPath } from '../domain/accounts/links.ts';
import { systemClock } from '../lib/clock.ts';
import { createLogger } from '../lib/logger.ts';
import { SetupFault } from '../lib/setup-fault.ts';
import { openDatabaseServer } from './database.ts';

/** A link that sets a new password, for who runs the instance to hand on: once, within an hour. */
export async function makeRecoveryLink(config: Config, email: string): Promise<string> {
  const log = createLogger(config.LOG_LEVEL);
  const database = await openDatabaseServer(config, log);
  const pool = openPool({ url: database.urlOf('system'), role: 'system', max: 1, statementTimeoutMs: 10_000, log });
  try {
    const secret = await createRecovery({ systemDb: openDatabase(pool), clock: systemClock }, email.trim().toLowerCase());
    if (secret === null) throw new SetupFault('no account has this address, or it has five links that still work');
    return `${config.PUBLIC_URL ?? `http://127.0.0.1:${config.WEB_PORT}`}${resetPath(secret)}`;
  } finally {
    await pool.end();
    await database.embedded?.stop();
  }
}
