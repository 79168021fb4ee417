import type { Transporter } from 'nodemailer';
import type { Mail, Mailer } from '#domain/base/ports.ts';

const timeoutMs = 10_000;
const stepMs = 8_000;

export interface MailerOptions {
  /** smtp:// or smtps://, with name and password if the server requires them. */
  url: string;
  from: string;
}

/**
 * Opens a connection for each mail. Mails are rare, and the server would close a pooled connection
 * in between.
 */
export function createMailer({ url, from }: MailerOptions): Mailer & { close(): Promise<void> } {
  let opening: Promise<Transporter> | null = null;
  const underWay = new Set<Promise<void>>();
  const send = async ({ to, ...mail }: Mail) => {
    const transport = await (opening ??= open({ url, from }));
    // As an object, an address that contains a comma stays one address.
    await within(timeoutMs, transport.sendMail({ ...mail, to: { name: '', address: to } }));
  };
  return {
    send: (mail) => {
      const sending = send(mail);
      const done = sending.catch(() => undefined).finally(() => underWay.delete(done));
      underWay.add(done);
      return sending;
    },
    close: async () => {
      await Promise.all(underWay);
      (await opening?.catch(() => undefined))?.close();
    },
  };
}

async function open({ url, from }: MailerOptions): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const guards = { disableFileAccess: true, disableUrlAccess: true };
  return createTransport(
    {
      url,
      connectionTimeout: stepMs,
      greetingTimeout: stepMs,
      socketTimeout: stepMs,
      dnsTimeout: stepMs,
      ...guards,
    },
    { from },
  );
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`the mail server took longer than ${ms} ms`)),
    ms,
  );
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
