import type { Config } from '#config/env.ts';
import { inTransaction } from '#db/database.ts';
import { findUserByEmail, updateEmailConfirmed } from '#db/queries/auth/users.ts';
import { byCommand, writeAuditOfAccount } from '#domain/base/audit/write-audit.ts';
import { systemClock } from '#lib/clock.ts';
import { CommandError } from '#lib/command-error.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { withSystemDatabase } from './system-database.ts';

/**
 * Marks an e-mail address as confirmed and returns a message. Throws CommandError for an address
 * without an account.
 */
export async function confirmEmail(
  config: Config,
  shutdownStack: ShutdownStack,
  address: string,
): Promise<string> {
  const email = address.trim().toLowerCase();
  return withSystemDatabase(config, shutdownStack, async (systemDb) => {
    const user = await findUserByEmail(systemDb, email);
    if (!user) throw new CommandError(`no account has the address ${email}`);
    if (user.emailConfirmedAt !== null) return `${email} is confirmed already.`;
    await inTransaction(systemDb, async (tx) => {
      await updateEmailConfirmed(tx, user.id, systemClock.now());
      await writeAuditOfAccount(tx, { clock: systemClock }, user.id, {
        action: 'email.confirmed',
        subject: email,
        ...byCommand,
      });
    });
    return `${email} is confirmed now.`;
  });
}
