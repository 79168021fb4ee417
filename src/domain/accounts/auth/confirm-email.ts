import {
  deleteAccountLink,
  deleteAccountLinksOf,
  findAccountLink,
} from '#db/queries/auth/account-links.ts';
import { findUserById, lockUser, updateEmailConfirmed } from '#db/queries/auth/users.ts';
import { writeAuditOfAccount } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Ctx, type Services } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { confirmationEmail } from '#domain/base/mail/emails.ts';
import { verifyPassword } from './password-hashing.ts';
import { confirmPath, linkUrl, readLinkSecret } from './link-secrets.ts';
import { sendMailInBackground } from './send-mail-in-background.ts';
import { createAccountLink } from './create-account-link.ts';

/**
 * Sends the confirmation link to a new account when a mail server is configured. A link lost in a
 * crash can be requested again.
 */
export function mailConfirmation(services: Services, user: { id: number; email: string }): void {
  sendMailInBackground(services, 'a link to confirm an address', async () => {
    const secret = await inSystem(services, (tx) =>
      createAccountLink(tx, services, { userId: user.id, purpose: 'confirmation', mailed: true }),
    );
    return secret === null ? null : confirmationEmailFor(services, user.email, secret);
  });
}

/**
 * Resends the link unless the address is confirmed. Throws auth_throttled after five in an hour.
 */
export async function resendConfirmation(ctx: Ctx): Promise<void> {
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  if (!user) throw notFound();
  if (ctx.mailer === null || user.emailConfirmedAt !== null) return;
  const secret = await inSystem(ctx, (tx) =>
    createAccountLink(tx, ctx, { userId: user.id, purpose: 'confirmation', mailed: true }),
  );
  if (secret === null)
    throw new AppError('auth_throttled', 'Five confirmation mails were sent within an hour.', {
      retryAfterSeconds: 3_600,
    });
  sendMailInBackground(ctx, 'a link to confirm an address', async () =>
    confirmationEmailFor(ctx, user.email, secret),
  );
}

/** An unused confirmation link and its account. */
export interface Confirmation {
  hash: Buffer;
  userId: number;
  email: string;
}

/** Throws the same not_found for unknown, expired (after three days) and used links. */
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
 * Confirms the address, once. The link proves the owner of the address, not of the account that
 * somebody created with it, so the caller must be signed in to that account or know its password.
 * Throws unauthenticated, which leaves the link valid.
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
    'If you did not create the account, set a new password with POST /auth/password/forgot: ' +
    'that confirms the address and revokes what others created.';
  throw new AppError(
    'unauthenticated',
    `The password of the account is needed when nobody is signed in to it. ${way}`,
  );
}

const confirmationEmailFor = (
  { settings }: Pick<Services, 'settings'>,
  email: string,
  secret: string,
) => confirmationEmail(email, linkUrl(settings.publicUrl, confirmPath(secret)));
