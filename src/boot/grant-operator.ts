import type { Config } from '#config/env.ts';
import { inTransaction, type Tx } from '#db/database.ts';
import { updateOperator, type OperatorRow } from '#db/queries/auth/users.ts';
import { byCommand, writeAuditOfAccount } from '#domain/base/audit/write-audit.ts';
import { systemClock } from '#lib/clock.ts';
import { CommandError } from '#lib/command-error.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { withSystemDatabase } from './system-database.ts';

/**
 * Grants or revokes the operator role and returns a message. Throws CommandError for an address
 * without an account.
 */
export async function grantOperator(
  config: Config,
  shutdownStack: ShutdownStack,
  address: string,
  operator: boolean,
): Promise<string> {
  const email = address.trim().toLowerCase();
  const account = await withSystemDatabase(config, shutdownStack, (systemDb) =>
    inTransaction(systemDb, (tx) => grant(tx, email, operator)),
  );
  if (account === undefined) throw new CommandError(`no account has the address ${email}`);
  const { before, emailConfirmed } = account;
  if (operator) return before ? `${email} is an operator already.` : `${email} is an operator now.`;
  const remains = config.OPERATOR_EMAILS.some((named) => named.toLowerCase() === email);
  const now = before
    ? `${email} is no longer an operator by this grant.`
    : `${email} has no such grant.`;
  if (!remains) return now;
  return emailConfirmed
    ? `${now} OPERATOR_EMAILS names it: it stays an operator.`
    : `${now} OPERATOR_EMAILS names it: it becomes one once it is confirmed.`;
}

async function grant(tx: Tx, email: string, operator: boolean): Promise<OperatorRow | undefined> {
  const account = await updateOperator(tx, email, operator);
  const action = operator ? 'operator.granted' : 'operator.revoked';
  if (account && account.before !== operator)
    await writeAuditOfAccount(tx, { clock: systemClock }, account.id, {
      action,
      subject: email,
      ...byCommand,
    });
  return account;
}
