import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { ApiConfig } from './context.ts';

/** Who is at the other end, as far as it can be believed. */
export interface Client {
  /** For counting: IPv4, or the /64 of an IPv6 address. */
  bucket: string;
  address: string;
  https: boolean;
  /** Host as the person typed it. */
  host: string;
  /** Sits at this very machine, with nothing in between that we know of. */
  isLocal: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Subnet = [Address, number];

export type ClientReader = (request: IncomingMessage) => Client;

/** The client is the rightmost hop that is not a trusted proxy; what stands left of it anybody may have written. */
export function createClientReader(config: Pick<ApiConfig, 'trustProxy' | 'publicUrl' | 'gatewayKey'>): ClientReader {
  const trusted = config.trustProxy.map(parseSubnet);
  const publicHttps = config.publicUrl?.startsWith('https:') === true;
  const isTrusted = (address: Address) => trusted.some((subnet) => isWithin(address, subnet));
  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress) ?? ipaddr.parse('0.0.0.0');
    const isGateway = isLoopback(peer) && (config.gatewayKey === undefined || one(request, 'x-toprung-gateway') === config.gatewayKey);
    const believed = isGateway || isTrusted(peer);
    const address = believed ? rightmostUntrusted(one(request, 'x-forwarded-for'), peer, isTrusted) : peer;
    const host = (believed && one(request, 'x-forwarded-host')) || request.headers.host || '';
    const https = publicHttps || (believed && one(request, 'x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https');
    return { bucket: bucketOf(address), address: address.toString(), https, host, isLocal: isLocal(request, address, host, isGateway) };
  };
}

function rightmostUntrusted(header: string | undefined, peer: Address, isTrusted: (address: Address) => boolean): Address {
  let client = peer;
  for (const hop of (header ?? '').split(',').reverse()) {
    const address = parseAddress(hop.trim());
    if (!address) break;
    client = address;
    if (!isTrusted(address)) break;
  }
  return client;
}

/**
 * A proxy we were not told of makes everybody look local, so the headers that proxies add speak against it; the
 * gateway says with x-toprung-direct that there were none. A foreign host name is a page that rebinds its DNS to us.
 */
function isLocal(request: IncomingMessage, address: Address, host: string, isGateway: boolean): boolean {
  const proxied = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'].some((name) => request.headers[name] !== undefined);
  const direct = isGateway && one(request, 'x-toprung-direct') === '1';
  return isLoopback(address) && (direct || !proxied) && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host);
}

function one(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** A mapped IPv4 address counts as the IPv4 address it is. */
export function parseAddress(text: string | undefined): Address | null {
  const bare = text?.replace(/^\[|\](:\d+)?$/g, '').replace(/%.*$/, '') ?? '';
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}

export function bucketOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16)).join(':')}::/64`;
}

function parseSubnet(text: string): Subnet {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isWithin(address: Address, [network, bits]: Subnet): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits as never);
}

function isLoopback(address: Address): boolean {
  return address.range() === 'loopback';
}
