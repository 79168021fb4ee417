import { findUserByEmail } from '#db/queries/auth/users.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { passwordResetEmail } from '#domain/base/mail/emails.ts';
import { linkUrl, resetPath } from './link-secrets.ts';
import { sendMailInBackground } from './send-mail-in-background.ts';
import { createAccountLink } from './create-account-link.ts';

/**
 * Creates the secret of a password reset link, valid once and for an hour; null for an unknown
 * address, and after five links within the hour. A link that was not `mailed` does not confirm the
 * address.
 */
export function createRecovery(
  services: Pick<Services, 'systemDb' | 'clock'>,
  email: string,
  { mailed = false } = {},
): Promise<string | null> {
  return inSystem(services, async (tx) => {
    const user = await findUserByEmail(tx, email);
    return user
      ? createAccountLink(tx, services, { userId: user.id, purpose: 'password', mailed })
      : null;
  });
}

/**
 * Sends the link when there is an account and a mail server. Everything runs in the background, so
 * that neither the response nor its time reveals whether there is an account.
 */
export function forgotPassword(services: Services, email: string): void {
  sendMailInBackground(services, 'a password reset link', async () => {
    const secret = await createRecovery(services, email, { mailed: true });
    return secret === null
      ? null
      : passwordResetEmail(email, linkUrl(services.settings.publicUrl, resetPath(secret)));
  });
}
