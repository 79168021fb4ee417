import { insertInviteMail } from '../../db/queries/invites.ts';
import { findUserById } from '../../db/queries/users.ts';
import type { Tx } from '../../db/database.ts';
import type { Ctx } from '../context.ts';
import { mailFault } from '../mail/mail-fault.ts';
import type { Mail } from '../ports.ts';

/** What became of an invitation's mail: it went out, the server refused it, there is none, the inviter may not have it sent. */
export type InviteMail = 'sent' | 'failed' | 'off' | 'unconfirmed' | 'capped';

const dayMs = 86_400_000;
/** In any 24 hours. An invitation that is revoked or replaced has had its mail. */
const mailsMax = { workspace: 50, address: 3 };

/**
 * Whether this invitation may be mailed; it counts from then on. The mail goes wherever its inviter wants and bears a name that
 * they chose, so they are to be known by an address of their own, and not to write to anybody again and again.
 */
export async function allowMail(tx: Tx, ctx: Ctx, email: string): Promise<InviteMail | 'allowed'> {
  if (ctx.mailer === null) return 'off';
  const inviter = await findUserById(tx, ctx.actor.userId);
  if (!inviter?.emailConfirmedAt) return 'unconfirmed';
  const sentAt = ctx.clock.now();
  const since = new Date(sentAt.getTime() - dayMs);
  const mail = { workspaceId: ctx.workspaceId, email, sentAt };
  return (await insertInviteMail(tx, mail, { since, max: mailsMax })) ? 'allowed' : 'capped';
}

/** The invitation stands, whatever becomes of the mail. */
export async function mailInvite({ mailer, log }: Ctx, letter: Mail): Promise<InviteMail> {
  if (mailer === null) return 'off';
  try {
    await mailer.send(letter);
    return 'sent';
  } catch (error) {
    log.warn({ error: mailFault(error) }, 'an invitation could not be mailed');
    return 'failed';
  }
}
