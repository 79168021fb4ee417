import { findUserByEmail } from '../../db/queries/users.ts';
import { inSystem, type Services } from '../context.ts';
import { recoveryLetter } from '../mail/letters.ts';
import { linkUrl, resetPath } from './links.ts';
import { mailBehind } from './mail-behind.ts';
import { makeLink } from './make-link.ts';

/**
 * Makes the secret of a link that sets a new password, once and within an hour; null for an address without an account,
 * and for one that has had five such links within the hour. One that is not `mailed` proves nothing of the address.
 */
export function createRecovery(
  services: Pick<Services, 'systemDb' | 'clock'>,
  email: string,
  { mailed = false } = {},
): Promise<string | null> {
  return inSystem(services, async (tx) => {
    const user = await findUserByEmail(tx, email);
    return user ? makeLink(tx, services, { userId: user.id, purpose: 'password', mailed }) : null;
  });
}

/**
 * Sends the link, if there is an account and a mail server. All of it happens behind the caller's back, so that neither the
 * answer nor its time tells whether there is an account.
 */
export function forgotPassword(services: Services, email: string): void {
  mailBehind(services, 'a link for a new password', async () => {
    const secret = await createRecovery(services, email, { mailed: true });
    return secret === null
      ? null
      : recoveryLetter(email, linkUrl(services.settings.publicUrl, resetPath(secret)));
  });
}
