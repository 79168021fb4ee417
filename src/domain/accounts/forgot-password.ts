import { insertPasswordReset } from '../../db/queries/password-resets.ts';
import { findUserByEmail } from '../../db/queries/users.ts';
import { inSystem, type Services } from '../context.ts';
import { recoveryLetter } from '../mail/letters.ts';
import { mailFault } from '../mail/mail-fault.ts';
import { createLinkSecret, recoveryUrl } from './links.ts';

const validMs = 3_600_000;
const linksMax = 5;
const underWayMax = 20;
let underWay = 0;

/**
 * Makes the secret of a link that sets a new password, once and within an hour; null for an address without an account,
 * and for one that has five such links already.
 */
export function createRecovery(services: Pick<Services, 'systemDb' | 'clock'>, email: string): Promise<string | null> {
  const createdAt = services.clock.now();
  const { secret, hash } = createLinkSecret();
  return inSystem(services, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) return null;
    const reset = { userId: user.id, secretHash: hash, createdAt, expiresAt: new Date(createdAt.getTime() + validMs) };
    return (await insertPasswordReset(tx, reset, linksMax)) ? secret : null;
  });
}

/**
 * Sends the link, if there is an account and a mail server. All of it happens behind the caller's back, so that neither the
 * answer nor its time tells whether there is an account; who gets no mail asks again.
 */
export function forgotPassword(services: Services, email: string): void {
  const { mailer, settings, log } = services;
  if (mailer === null) return;
  if (underWay >= underWayMax) return log.warn({ underWay }, 'a request for a new password was dropped: the mail server is too slow');
  underWay += 1;
  const send = async () => {
    const secret = await createRecovery(services, email);
    if (secret !== null) await mailer.send(recoveryLetter(email, recoveryUrl(settings.publicUrl, secret)));
  };
  send()
    .catch((error: unknown) => log.warn({ error: mailFault(error) }, 'a mail for a new password could not be sent'))
    .finally(() => (underWay -= 1));
}
