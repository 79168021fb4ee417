import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import { isLoopbackHost } from '#lib/listen.ts';
import type { Readings } from '../readings.ts';

const remedies = {
  connection: 'Compare host and port with SMTP_URL, and check that a firewall lets them through.',
  encryption:
    'Use smtps:// for a server that begins with TLS, as on port 465, and smtp:// for others; its ' +
    'certificate must be valid for its name.',
  login: 'Compare user and password with SMTP_URL; special characters in them are percent-encoded.',
};

/** The mail server, up to the login. */
export function checkMail({ config, mail }: Readings): Finding[] {
  if (config.SMTP_URL === null)
    return [skipped('mail', 'SMTP_URL is not set, so no mail is sent.')];
  if (mail === null) return [skipped('mail', 'Only toprung doctor connects to the mail server.')];
  if ('failed' in mail)
    return [
      failure(
        'mail',
        `The ${mail.failed} of the mail server at SMTP_URL failed: ${mail.reason}`,
        remedies[mail.failed],
      ),
    ];
  const login = mail.hasLoggedIn ? ' and the login' : '';
  if (!mail.isEncrypted && !isLoopbackHost(new URL(config.SMTP_URL).hostname))
    return [
      warning(
        'mail',
        `The mail server accepts a connection${login}, and nothing is encrypted.`,
        'Use smtps://, or a server that offers STARTTLS.',
      ),
    ];
  const how = mail.isEncrypted ? 'an encrypted connection' : 'a connection';
  return [ok('mail', `The mail server accepts ${how}${login}. No mail was sent.`)];
}
