import type { Services } from '#domain/base/context.ts';
import { mailErrorCode } from '#domain/base/mail/mail-error-code.ts';
import type { Mail } from '#domain/base/ports.ts';

const inFlightMax = 20;
let underWay = 0;

/**
 * Writes and sends a mail after the response, if there is a mail server. A lost mail can be
 * requested again.
 */
export function sendMailInBackground(
  { mailer, log }: Pick<Services, 'mailer' | 'log'>,
  what: string,
  write: () => Promise<Mail | null>,
): void {
  if (mailer === null) return;
  if (underWay >= inFlightMax)
    return log.warn({ what, underWay }, 'mail dropped: the mail server is too slow');
  underWay += 1;
  const send = async () => {
    const mail = await write();
    if (mail !== null) await mailer.send(mail);
  };
  send()
    .catch((error: unknown) =>
      log.warn({ what, error: mailErrorCode(error) }, 'mail could not be sent'),
    )
    .finally(() => (underWay -= 1));
}
