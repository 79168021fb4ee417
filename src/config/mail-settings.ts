import type { Setting } from './env.ts';
import { address, text } from './parsers.ts';

export const mailSettings = {
  SMTP_URL: {
    parse: address('smtp:', 'smtps:'),
    fallback: null,
    secret: true,
    meaning:
      'The mail server, such as smtp://user:password@mail.example.org:587. Unset: no mail is ' +
      'sent, and nothing requires it.',
  },
  MAIL_FROM: {
    parse: text,
    fallback: null,
    isPersonal: true,
    meaning: 'The sender of mail, such as Toprung <aso@example.org>. Needed with SMTP_URL.',
  },
} as const satisfies Record<string, Setting<unknown>>;

export interface MailSettings {
  SMTP_URL: string | null;
  MAIL_FROM: string | null;
  PUBLIC_URL: string | null;
}

/** Errors that concern several mail settings together. */
export function findMailSettingErrors(settings: MailSettings): string[] {
  if (settings.SMTP_URL === null) return [];
  // Callers choose the Host of their requests, so links in mail need an address of their own.
  const needed = (['MAIL_FROM', 'PUBLIC_URL'] as const).filter((name) => settings[name] === null);
  return needed.map((name) => `${name} must be set when SMTP_URL is`);
}
