const stepMs = 5_000;
const maxReasonLength = 200;

export type MailServerFacts =
  | { hasLoggedIn: boolean; isEncrypted: boolean }
  | { failed: 'connection' | 'encryption' | 'login'; reason: string };

/**
 * Connects to the mail server as the mailer does: greeting, STARTTLS where it is offered, and the
 * login where SMTP_URL has a user. No mail is sent. Never rejects.
 */
export async function checkMailServer(url: string): Promise<MailServerFacts> {
  const [{ default: Connection }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/shared'),
  ]);
  const { auth, ...options } = parseConnectionUrl(url);
  const timeouts = {
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
  };
  const connection = new Connection({ ...options, ...timeouts });
  const failure = new Promise<never>((_resolve, reject) => {
    connection.once('error', reject);
    connection.once('end', () => reject(new Error('the server closed the connection')));
  });
  failure.catch(() => undefined);
  const step = (start: (done: (error?: Error | null) => void) => void) =>
    Promise.race([
      failure,
      new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve()))),
    ]);
  try {
    await step((done) => connection.connect(done));
    if (auth) await step((done) => connection.login(auth, done));
    connection.quit();
    return { hasLoggedIn: auth !== undefined, isEncrypted: connection.secure === true };
  } catch (error) {
    connection.close();
    return describeFailure(error as Error & { code?: string });
  }
}

/** The server's own words may be part of the message. */
function describeFailure({ code = '', message }: Error & { code?: string }): MailServerFacts {
  const reason = message.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, maxReasonLength);
  if (code === 'EAUTH') return { failed: 'login', reason };
  const isTls = code === 'ETLS' || /ssl|tls|certificate/i.test(message);
  return { failed: isTls ? 'encryption' : 'connection', reason };
}
