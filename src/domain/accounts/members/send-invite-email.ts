import { insertInviteMail } from '#db/queries/members/invites.ts';
import { findUserById } from '#db/queries/auth/users.ts';
import type { Tx } from '#db/database.ts';
import type { Ctx } from '#domain/base/context.ts';
import { mailErrorCode } from '#domain/base/mail/mail-error-code.ts';
import type { Mail } from '#domain/base/ports.ts';

/**
 * The outcome of an invitation's mail: sent, not accepted by the server (which may deliver it after
 * all when it was slow), no mail server, or not allowed for this inviter.
 */
export type InviteMail = 'sent' | 'failed' | 'off' | 'unconfirmed' | 'capped';

const dayMs = 86_400_000;
/** Per 24 hours. Revoked and replaced invitations count. */
const mailsMax = { workspace: 50, address: 3 };

/**
 * Counts an invitation's mail and returns whether it may be sent. The mail goes to any address
 * under a name that the inviter chose, so inviters need a confirmed address and have a limit.
 */
export async function checkInviteEmailAllowed(
  tx: Tx,
  ctx: Ctx,
  email: string,
): Promise<InviteMail | 'allowed'> {
  if (ctx.mailer === null) return 'off';
  const inviter = await findUserById(tx, ctx.actor.userId);
  if (!inviter?.emailConfirmedAt) return 'unconfirmed';
  const sentAt = ctx.clock.now();
  const since = new Date(sentAt.getTime() - dayMs);
  const mail = { workspaceId: ctx.workspaceId, email, sentAt };
  return (await insertInviteMail(tx, mail, { since, max: mailsMax })) ? 'allowed' : 'capped';
}

/** The invitation is valid whether or not the mail is sent. */
export async function sendInviteEmail({ mailer, log }: Ctx, email: Mail): Promise<InviteMail> {
  if (mailer === null) return 'off';
  try {
    await mailer.send(email);
    return 'sent';
  } catch (error) {
    log.warn({ error: mailErrorCode(error) }, 'invitation could not be mailed');
    return 'failed';
  }
}
