import { setTimeout as sleep } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Mail, Mailer } from '#domain/base/ports.ts';

const timeoutMs = 10_000;
const connectMs = 8_000;
/** Servers delay their greeting, and examine a mail before they accept it. */
const jobStepMs = 60_000;

export interface MailerOptions {
  /** smtp:// or smtps://, with name and password if the server requires them. */
  url: string;
  from: string;
  /** How long somebody waits for a mail, in ms. */
  waitMs?: number;
}

/**
 * Opens a connection for each mail. Mails are rare, and the server would close a pooled connection
 * in between.
 */
export function createMailer(options: MailerOptions): Mailer & { close(): Promise<void> } {
  const { from, waitMs = timeoutMs } = options;
  const domain = /@([^@\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const opening = new Map<number, Promise<Transporter>>();
  const underWay = new Set<Promise<void>>();
  const send = async ({ to, id, ...mail }: Mail, isJob: boolean) => {
    const stepMs = isJob ? jobStepMs : Math.ceil(waitMs * 0.8);
    const transport = await (opening.get(stepMs) ?? open(options, stepMs, opening));
    const messageId = id === undefined ? undefined : `<${id}@${domain}>`;
    // As an object, an address that contains a comma stays one address.
    const sending = transport.sendMail({ ...mail, messageId, to: { name: '', address: to } });
    // A job waits for each response, because an abandoned mail can be delivered after all.
    await (isJob ? sending : within(waitMs, sending));
  };
  return {
    send: (mail, { asJob = false } = {}) => {
      const sending = send(mail, asJob);
      const done = sending.catch(() => undefined).finally(() => underWay.delete(done));
      underWay.add(done);
      return sending;
    },
    close: async () => {
      await Promise.race([Promise.all(underWay), sleep(waitMs, undefined, { ref: false })]);
      for (const transport of opening.values()) (await transport.catch(() => undefined))?.close();
    },
  };
}

function open(
  { url, from }: MailerOptions,
  stepMs: number,
  opening: Map<number, Promise<Transporter>>,
): Promise<Transporter> {
  const transport = (async () => {
    const { createTransport } = await import('nodemailer');
    const guards = { disableFileAccess: true, disableUrlAccess: true };
    return createTransport(
      {
        url,
        connectionTimeout: connectMs,
        greetingTimeout: stepMs,
        socketTimeout: stepMs,
        dnsTimeout: connectMs,
        ...guards,
      },
      { from },
    );
  })();
  opening.set(stepMs, transport);
  return transport;
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
