import { settings, type Config } from '#config/env.ts';
import { ok, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const loopback = ['127.0.0.1', 'localhost', '::1'];
const warn = (message: string, remedy: string) => warning('settings', message, remedy);

/** Settings that are valid each, and wrong together. */
export function checkSettings({ config, unknownNames }: Readings): Finding[] {
  const findings = [
    ...unknownNames.map((name) =>
      warn(`.env sets ${name}, which is not a setting.`, 'Correct its name or remove it.'),
    ),
    ...checkOrigin(config),
    ...checkKeys(config),
    ...checkStoreAddress(config),
  ];
  const count = Object.keys(settings).length;
  return findings.length > 0 ? findings : [ok('settings', `All ${count} settings are valid.`)];
}

function checkOrigin(config: Config): Finding[] {
  // Only a reverse proxy opens the socket, and it is trusted without TRUST_PROXY.
  if (config.WEB_SOCKET !== null) return [];
  const isHttps = config.PUBLIC_URL?.startsWith('https:') === true;
  const isOpen = !loopback.includes(config.WEB_HOST);
  const findings: Finding[] = [];
  if (isOpen && !isHttps && !config.INSECURE_COOKIES)
    findings.push(
      warn(
        `WEB_HOST ${config.WEB_HOST} is open to the network over plain HTTP, over which ` +
          'browsers on other machines get no session.',
        'Set up a reverse proxy with TLS and PUBLIC_URL=https://…, or INSECURE_COOKIES=true on ' +
          'a network that you trust.',
      ),
    );
  if (isHttps && config.TRUST_PROXY.length === 0)
    findings.push(
      warn(
        'PUBLIC_URL is https and TRUST_PROXY is empty, so all clients share the address of the ' +
          'reverse proxy and its limit of sign-in attempts.',
        'Set TRUST_PROXY to the address of the reverse proxy.',
      ),
    );
  return findings;
}

function checkKeys({ DATABASE_URL, ENCRYPTION_KEY }: Config): Finding[] {
  if (DATABASE_URL === null || ENCRYPTION_KEY !== null) return [];
  return [
    warn(
      'ENCRYPTION_KEY is not set, so the key that encrypts webhook secrets is a file of this ' +
        'host alone.',
      'Set the same ENCRYPTION_KEY on every host: the contents of secrets-key in DATA_DIR or, ' +
        'while there is no such file, 32 random characters or more.',
    ),
  ];
}

function checkStoreAddress({ STORE_BASE_URL }: Config): Finding[] {
  if (STORE_BASE_URL === null) return [];
  return [
    warn(
      'STORE_BASE_URL is set: every store request goes to that address and not to the stores.',
      'Remove STORE_BASE_URL, unless this is a test.',
    ),
  ];
}
