import type { Config } from '../config/env.ts';
import { inTransaction } from '../db/database.ts';
import { findUserByEmail, updateEmailConfirmed } from '../db/queries/users.ts';
import { byCommand, writeAuditOfAccount } from '../domain/audit/write-audit.ts';
import { systemClock } from '../lib/clock.ts';
import type { Closers } from '../lib/closers.ts';
import { SetupFault } from '../lib/setup-fault.ts';
import { withSystemDatabase } from './system-database.ts';

/** Takes an address as confirmed; says what is so now. Throws SetupFault for an address without an account. */
export async function confirmAddress(
  config: Config,
  closers: Closers,
  address: string,
): Promise<string> {
  const email = address.trim().toLowerCase();
  return withSystemDatabase(config, closers, async (systemDb) => {
    const user = await findUserByEmail(systemDb, email);
    if (!user) throw new SetupFault(`no account has the address ${email}`);
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
