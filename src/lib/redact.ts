const credentials = /\/\/[^\s/@]{1,500}@/g;
const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}/g;
const removed = '[removed]';
/** Shorter ones are also parts of ordinary words. */
const minLength = 6;

/**
 * Returns a function that copies a JSON value and removes these secrets, user names and passwords
 * of addresses, and e-mail addresses from each of its texts.
 */
export function createRedactor(secrets: readonly string[]): <T>(value: T) => T {
  const parts = [...new Set(secrets.flatMap(partsOf))]
    .filter((part) => part.length >= minLength)
    .toSorted((a, b) => b.length - a.length);
  const redactText = (text: string) =>
    parts
      .reduce((left, part) => left.replaceAll(part, removed), text)
      .replace(credentials, `//${removed}@`)
      .replace(email, removed);
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item)]));
  };
  return redact as <T>(value: T) => T;
}

/** Messages quote a password without its address, as it was written or decoded. */
function partsOf(secret: string): string[] {
  const items = secret.split(',').map((item) => item.trim());
  return [secret, ...items.flatMap((item) => [item, ...passwordsOf(item)])];
}

function passwordsOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  return [password, decodeOrKeep(password)];
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
