import type { Services } from '../context.ts';
import { mailFault } from '../mail/mail-fault.ts';
import type { Mail } from '../ports.ts';

const underWayMax = 20;
let underWay = 0;

/** Writes and sends a mail behind the caller's back, who gets its answer at once; who gets no mail asks again. Nothing without a mail server. */
export function mailBehind(
  { mailer, log }: Pick<Services, 'mailer' | 'log'>,
  what: string,
  write: () => Promise<Mail | null>,
): void {
  if (mailer === null) return;
  if (underWay >= underWayMax)
    return log.warn({ what, underWay }, 'a mail was dropped: the mail server is too slow');
  underWay += 1;
  const send = async () => {
    const mail = await write();
    if (mail !== null) await mailer.send(mail);
  };
  send()
    .catch((error: unknown) =>
      log.warn({ what, error: mailFault(error) }, 'a mail could not be sent'),
    )
    .finally(() => (underWay -= 1));
}
