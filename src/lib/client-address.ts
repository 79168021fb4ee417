import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Converts a mapped IPv4 address to IPv4 and ignores a port, which some proxies append; null for an
 * invalid address.
 */
export function parseAddress(text: string | undefined): Address | null {
  const host = text?.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1').replace(/^\[|\](:\d+)?$/g, '');
  const bare = host?.replace(/%.*$/, '') ?? '';
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

/** True when an address is in one of the addresses and subnets. */
export function createTrust(proxies: readonly string[]): (address: Address) => boolean {
  const subnets = proxies.map((text): [Address, number] => {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
  return (address) =>
    subnets.some(
      ([network, bits]) => address.kind() === network.kind() && address.match(network, bits),
    );
}

/** The rightmost hop that is not trusted, from a trusted peer: entries left of it can be forged. */
export function rightmostUntrusted(
  header: string | undefined,
  peer: Address,
  isTrusted: (address: Address) => boolean,
): Address {
  let client = peer;
  for (const hop of (header ?? '').split(',').reverse()) {
    const address = parseAddress(hop.trim());
    if (!address) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client;
}

/** The key for counting: an IPv4 address, or the /64 of one IPv6 subscriber. */
export function bucketOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

export function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}

/** Headers that proxies add. */
export const forwardingHeaders = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-prefix',
  'forwarded',
  'via',
  'x-real-ip',
] as const;

/**
 * True when a proxy sent the request, as far as that shows: some add no header, but speak HTTP/1.0
 * unlike any browser.
 */
export function isForwarded({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.1' || forwardingHeaders.some((name) => headers[name] !== undefined);
}
