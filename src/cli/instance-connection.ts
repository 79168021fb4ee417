import { readClientConfig } from '#config/client-config.ts';
import { instanceUrlOf } from '#client/instance-address.ts';
import type { CallOutput, Client } from '#client/http.ts';
import { isSession } from '#client/is-session.ts';
import { CommandError } from '#lib/command-error.ts';
import { SetupError } from '#lib/setup-error.ts';

/** The address and the token of a running instance. */
export interface InstanceConnection {
  url: string;
  token: string;
}

/**
 * The connection of a command: `--url`, then TOPRUNG_URL and TOPRUNG_TOKEN, then `toprung login`.
 * A stored token is sent to its own instance only. Throws SetupError with the remedy when one is
 * missing or malformed.
 */
export async function readConnection(flag: string | undefined): Promise<InstanceConnection> {
  const { readStoredConnection } = await import('./stored-connection.ts');
  const { TOPRUNG_URL, TOPRUNG_TOKEN } = readClientConfig();
  const named = flag ?? TOPRUNG_URL;
  const stored = named !== null && TOPRUNG_TOKEN !== null ? null : await readStoredConnection();
  const url = named ?? stored?.url ?? null;
  if (url === null)
    throw new SetupError(
      'Set TOPRUNG_URL (or --url) to the address of a running instance, such as ' +
        'http://localhost:3000, or run toprung login.',
    );
  checkAddress(url);
  const isOfLogin = stored !== null && instanceOf(stored.url) === instanceOf(url);
  const token = TOPRUNG_TOKEN ?? (isOfLogin ? stored.token : null);
  if (token === null)
    throw new SetupError(
      'Set TOPRUNG_TOKEN to an API token, or run toprung login. Create one in the dashboard ' +
        'under Settings, API tokens.',
    );
  checkToken(token, 'TOPRUNG_TOKEN');
  return { url, token };
}

const instanceOf = (url: string): string => instanceUrlOf(URL.parse(url)?.href ?? url);

/** The rejected text may hold a password, so it is not printed. Throws SetupError. */
export function checkAddress(url: string): void {
  const address = /^https?:\/\//.test(url) ? URL.parse(url) : null;
  if (!address)
    throw new SetupError(
      'TOPRUNG_URL (or --url) is not an address. Use one such as http://localhost:3000.',
    );
  if (address.username !== '' || address.password !== '')
    throw new SetupError(
      'TOPRUNG_URL (or --url) contains a user name or a password. Remove them; the token ' +
        'alone identifies the caller.',
    );
}

/** Throws SetupError. */
export function checkToken(token: string, name: string): void {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SetupError(
      `${name} is not an API token: it has invalid characters. Create one in the ` +
        'dashboard under Settings, API tokens.',
    );
}

export const addressStep = 'Check the address: TOPRUNG_URL, --url or toprung login.';

/** Another service may respond with any object. */
export const refuseStranger = (): never => {
  throw new CommandError(
    `The server responded with something that is not Toprung’s. ${addressStep}`,
  );
};

/** The session of the token. Throws CommandError when another service responds. */
export async function readSession(api: Client): Promise<CallOutput<'GET /auth/session'>> {
  const session = await api('GET /auth/session');
  return isSession(session) ? session : refuseStranger();
}
