import {
  deleteAccountLink,
  deleteAccountLinksOf,
  findAccountLink,
} from '../../db/queries/account-links.ts';
import { findUserById, lockUser, updateEmailConfirmed } from '../../db/queries/users.ts';
import { writeAuditOfAccount } from '../audit/write-audit.ts';
import { inSystem, type Ctx, type Services } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { confirmationLetter } from '../mail/letters.ts';
import { verifyPassword } from './limited-hashing.ts';
import { confirmPath, linkUrl, readLinkSecret } from './links.ts';
import { mailBehind } from './mail-behind.ts';
import { makeLink } from './make-link.ts';

/** Sends a new account the link that proves its address, where there is a mail server. Lost in a crash, it is asked for again. */
export function mailConfirmation(services: Services, user: { id: number; email: string }): void {
  mailBehind(services, 'a link to confirm an address', async () => {
    const secret = await inSystem(services, (tx) =>
      makeLink(tx, services, { userId: user.id, purpose: 'confirmation', mailed: true }),
    );
    return secret === null ? null : letterTo(services, user.email, secret);
  });
}

/** Sends the link again; nothing to who has confirmed. Throws auth_throttled after five in an hour. */
export async function resendConfirmation(ctx: Ctx): Promise<void> {
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  if (!user) throw notFound();
  if (ctx.mailer === null || user.emailConfirmedAt !== null) return;
  const secret = await inSystem(ctx, (tx) =>
    makeLink(tx, ctx, { userId: user.id, purpose: 'confirmation', mailed: true }),
  );
  if (secret === null)
    throw new AppError('auth_throttled', 'Five such mails were sent within an hour.', {
      retryAfterSeconds: 3_600,
    });
  mailBehind(ctx, 'a link to confirm an address', async () => letterTo(ctx, user.email, secret));
}

/** A link that may still confirm an address, and whose it is. */
export interface Confirmation {
  hash: Buffer;
  userId: number;
  email: string;
}

/** Throws not_found alike for a link that never was, has ended, which is after three days, or was used. */
export async function getConfirmation(services: Services, token: string): Promise<Confirmation> {
  const hash = readLinkSecret(token);
  const person =
    hash === null
      ? undefined
      : await findAccountLink(services.systemDb, 'confirmation', hash, services.clock.now());
  if (hash === null || !person) throw notFound();
  return { hash, userId: person.userId, email: person.email };
}

/**
 * Confirms the address, once. The link proves whose the address is, and not whose the account is that somebody made with it: who
 * comes with it is signed in to that account, or knows its password. Throws unauthenticated, which leaves the link as it is.
 */
export async function confirmEmail(
  services: Services,
  { hash, userId, email }: Confirmation,
  proof: { signedInAs: number | null; password?: string | undefined },
): Promise<void> {
  if (proof.signedInAs !== userId) await requirePassword(services, userId, proof.password);
  await inSystem(services, async (tx) => {
    await lockUser(tx, userId);
    if (!(await deleteAccountLink(tx, hash))) throw notFound();
    await deleteAccountLinksOf(tx, userId, 'confirmation');
    await updateEmailConfirmed(tx, userId, services.clock.now());
    await writeAuditOfAccount(tx, services, userId, {
      action: 'email.confirmed',
      subject: email,
      actor: email,
      credential: 'link',
    });
  });
}

async function requirePassword(
  services: Services,
  userId: number,
  password: string | undefined,
): Promise<void> {
  const user = await findUserById(services.systemDb, userId);
  if (password !== undefined && (await verifyPassword(user?.passwordHash ?? null, password)))
    return;
  const way =
    'Who did not make the account sets a new password by POST /auth/password/forgot: that confirms the address and ends what others made.';
  throw new AppError(
    'unauthenticated',
    `The password of the account is needed where nobody is signed in to it. ${way}`,
  );
}

const letterTo = ({ settings }: Pick<Services, 'settings'>, email: string, secret: string) =>
  confirmationLetter(email, linkUrl(settings.publicUrl, confirmPath(secret)));
