import { isLiteral, type Lookup } from './connector.ts';
import type { AddressRules } from './address-rules.ts';

const deadlineMs = 3_000;

/** The reason why an address is blocked, or null. */
export async function checkUrlForSsrf(
  text: string,
  rules: AddressRules,
  lookup: Lookup,
): Promise<string | null> {
  if (!URL.canParse(text)) return 'not an address';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'http or https only';
  if (url.username !== '' || url.password !== '') return 'no user name or password in an address';
  if (url.hostname === '' || url.port === '0')
    return 'an address with a host and a port from 1 to 65535';
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isLiteral(host) ? [host] : await resolve(host, lookup);
  return (
    addresses.map((address) => rules.refuse(address, port)).find((why) => why !== null) ?? null
  );
}

/** Empty for a name that does not resolve in time. */
function resolve(host: string, lookup: Lookup): Promise<string[]> {
  return new Promise((done) => {
    const timer = setTimeout(() => done([]), deadlineMs);
    lookup(host, { all: true }, (error, addresses) => {
      clearTimeout(timer);
      done(error ? [] : addresses.map(({ address }) => address));
    });
  });
}
