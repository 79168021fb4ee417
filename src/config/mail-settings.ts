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
