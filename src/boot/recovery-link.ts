import type { Config } from '../config/env.ts';
import { createRecovery } from '../domain/accounts/forgot-password.ts';
import { resetPath } from '../domain/accounts/links.ts';
import { systemClock } from '../lib/clock.ts';
import type { Closers } from '../lib/closers.ts';
import { SetupFault } from '../lib/setup-fault.ts';
import { withSystemDatabase } from './system-database.ts';

/** A link that sets a new password, for who runs the instance to hand on: once, within an hour. */
export async function makeRecoveryLink(
  config: Config,
  closers: Closers,
  email: string,
): Promise<string> {
  const secret = await withSystemDatabase(config, closers, (systemDb) =>
    createRecovery({ systemDb, clock: systemClock }, email.trim().toLowerCase()),
  );
  if (secret === null)
    throw new SetupFault('no account has this address, or it has five links that still work');
  return `${config.PUBLIC_URL ?? `http://127.0.0.1:${config.WEB_PORT}`}${resetPath(secret)}`;
}
