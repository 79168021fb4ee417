import type { Config } from '#config/env.ts';
import { createRecovery } from '#domain/accounts/auth/password-recovery.ts';
import { resetPath } from '#domain/accounts/auth/link-secrets.ts';
import { systemClock } from '#lib/clock.ts';
import { CommandError } from '#lib/command-error.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { withSystemDatabase } from './system-database.ts';

/** Creates a password reset link for the operator to pass on. It works once, for an hour. */
export async function createRecoveryLink(
  config: Config,
  shutdownStack: ShutdownStack,
  email: string,
): Promise<string> {
  const secret = await withSystemDatabase(config, shutdownStack, (systemDb) =>
    createRecovery({ systemDb, clock: systemClock }, email.trim().toLowerCase()),
  );
  if (secret === null)
    throw new CommandError('no account has this address, or it has five links that still work');
  return `${config.PUBLIC_URL ?? `http://127.0.0.1:${config.WEB_PORT}`}${resetPath(secret)}`;
}
