import {
  deleteAccountLink,
  deleteAccountLinksOf,
  findAccountLink,
} from '#db/queries/auth/account-links.ts';
import { deleteOtherSessions } from '#db/queries/auth/sessions.ts';
import { deleteInvitesBy } from '#db/queries/members/invites.ts';
import { deleteReportsBy } from '#db/queries/reports/reports.ts';
import { revokeTokensOf } from '#db/queries/tokens/tokens.ts';
import {
  findUserById,
  lockUser,
  updateEmailConfirmed,
  updatePasswordHash,
} from '#db/queries/auth/users.ts';
import { disableWebhook, listEnabledWebhooksOfOnlyMember } from '#db/queries/webhooks/webhooks.ts';
import type { Tx } from '#db/database.ts';
import {
  writeAuditOf,
  writeAuditOfAccount,
  type AuditEntry,
} from '#domain/base/audit/write-audit.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { hashPassword } from './password-hashing.ts';
import { readLinkSecret } from './link-secrets.ts';
import { checkPassword } from './password-rules.ts';

/**
 * Sets a new password by a link, once and within its hour, and ends all sessions of the user. API
 * tokens, open invitations, shared reports and webhooks stay, unless a mailed link confirms the
 * address: somebody else may have created them. Throws not_found for an unknown, expired or used
 * link, and invalid_request for a bad password, which leaves the link valid.
 */
export async function resetPassword(
  services: Services,
  input: { token: string; password: string },
): Promise<void> {
  const hash = readLinkSecret(input.token);
  const person =
    hash === null
      ? undefined
      : await findAccountLink(services.systemDb, 'password', hash, services.clock.now());
  if (hash === null || !person) throw notFound();
  const { userId, email, mailed } = person;
  checkPassword('password', input.password, email);
  const passwordHash = await hashPassword(input.password);
  await inSystem(services, async (tx) => {
    await lockUser(tx, userId);
    if (!(await deleteAccountLink(tx, hash))) throw notFound();
    await deleteAccountLinksOf(tx, userId, 'password');
    await updatePasswordHash(tx, userId, passwordHash);
    await deleteOtherSessions(tx, userId, null);
    await writeAuditOfAccount(tx, services, userId, {
      action: 'password.reset',
      subject: email,
      ...byLink(email),
    });
    if (mailed) await confirmByMail(tx, services, userId);
  });
}

async function confirmByMail(tx: Tx, { clock }: Services, userId: number): Promise<void> {
  const user = await findUserById(tx, userId);
  if (user?.emailConfirmedAt !== null) return;
  const by = byLink(user.email);
  await updateEmailConfirmed(tx, userId, clock.now());
  await writeAuditOfAccount(tx, { clock }, userId, {
    action: 'email.confirmed',
    subject: user.email,
    ...by,
  });
  const audit = (workspaceId: number, entry: AuditEntry) =>
    writeAuditOf(tx, { workspaceId, clock }, { ...entry, ...by });
  for (const { id, workspaceId } of await revokeTokensOf(tx, userId, clock.now()))
    await audit(workspaceId, { action: 'token.revoked', subject: `token ${id}` });
  for (const { id, workspaceId, email } of await deleteInvitesBy(tx, null, userId))
    await audit(workspaceId, {
      action: 'invite.revoked',
      subject: email,
      detail: { inviteId: id },
    });
  for (const { id, workspaceId, name } of await deleteReportsBy(tx, userId))
    await audit(workspaceId, {
      action: 'report.deleted',
      subject: `report ${id}`,
      detail: { name },
    });
  // Where there are other members, they may have created the webhooks.
  for (const { id, workspaceId } of await listEnabledWebhooksOfOnlyMember(tx, userId)) {
    await disableWebhook(tx, { workspaceId, webhookId: id, by: 'user', now: clock.now() });
    await audit(workspaceId, {
      action: 'webhook.changed',
      subject: `webhook ${id}`,
      detail: { fields: 'enabled' },
    });
  }
}

const byLink = (email: string) => ({ actor: email, credential: 'recovery' });
