import { readConfig } from '#config/env.ts';
import { SetupError } from '#lib/setup-error.ts';

/** The address and the token of a running instance, from TOPRUNG_URL and TOPRUNG_TOKEN. */
export interface InstanceConnection {
  url: string;
  token: string;
}

/** Throws SetupError with the remedy when one is missing or malformed. */
export function readConnection(flag: string | undefined): InstanceConnection {
  const { TOPRUNG_URL, TOPRUNG_TOKEN: token } = readConfig();
  const url = flag ?? TOPRUNG_URL;
  if (url === null)
    throw new SetupError(
      'Set TOPRUNG_URL (or --url) to the address of a running instance, such as ' +
        'http://localhost:3000.',
    );
  checkAddress(url);
  if (token === null)
    throw new SetupError(
      'Set TOPRUNG_TOKEN to an API token. Create one in the dashboard under Settings, API tokens.',
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SetupError(
      'TOPRUNG_TOKEN is not an API token: it has invalid characters. Create one in the ' +
        'dashboard under Settings, API tokens.',
    );
  return { url, token };
}

/** The rejected text may hold a password, so it is not printed. */
function checkAddress(url: string): void {
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
