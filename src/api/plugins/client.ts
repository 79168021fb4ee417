import type { IncomingMessage } from 'node:http';
import {
  bucketOf,
  createTrust,
  forwardingHeaders,
  isLoopback,
  parseAddress,
  rightmostUntrusted,
  type Address,
} from '../../lib/client-address.ts';
import type { ApiConfig } from './context.ts';

/** Who is at the other end, as far as it can be believed. */
export interface Client {
  /** For counting. */
  bucket: string;
  address: string;
  https: boolean;
  /** Host as the person typed it. */
  host: string;
  /** Under what path the gateway shows us: `/api/backend`, or nothing. */
  prefix: string;
  /** Sits at this very machine, with nothing in between that we know of. */
  isLocal: boolean;
}

export type ClientReader = (request: IncomingMessage) => Client;

/** X-Forwarded-* is believed from the gateway on loopback and from trusted proxies, and from nobody else. */
export function createClientReader(
  config: Pick<ApiConfig, 'trustProxy' | 'publicUrl' | 'gatewayKey'>,
): ClientReader {
  const isTrusted = createTrust(config.trustProxy);
  const publicHttps = config.publicUrl?.startsWith('https:') === true;
  const peers = new WeakMap<object, Address>();
  /** A connection's other end stays who it is. */
  const peerOf = ({ socket }: IncomingMessage): Address => {
    const known = peers.get(socket);
    if (known) return known;
    const peer = parseAddress(socket.remoteAddress) ?? parseAddress('0.0.0.0')!;
    peers.set(socket, peer);
    return peer;
  };
  return (request) => {
    const peer = peerOf(request);
    const hasKey =
      config.gatewayKey === undefined || one(request, 'x-toprung-gateway') === config.gatewayKey;
    const isGateway =
      hasKey && (isLoopback(peer) || (config.gatewayKey !== undefined && isTrusted(peer)));
    const believed = isGateway || isTrusted(peer);
    const address = believed
      ? rightmostUntrusted(one(request, 'x-forwarded-for'), peer, isTrusted)
      : peer;
    const host = (believed && one(request, 'x-forwarded-host')) || request.headers.host || '';
    const https =
      publicHttps ||
      (believed && one(request, 'x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https');
    const prefix =
      /^(\/[\w-]+){1,4}$/.exec((believed && one(request, 'x-forwarded-prefix')) || '')?.[0] ?? '';
    return {
      bucket: bucketOf(address),
      address: address.toString(),
      https,
      host,
      prefix,
      isLocal: isLocal(request, address, host, isGateway),
    };
  };
}

/**
 * A proxy we were not told of makes everybody look local, so the headers that proxies add speak against it; the
 * gateway says with x-toprung-direct that there were none. A foreign host name is a page that rebinds its DNS to us.
 */
function isLocal(
  request: IncomingMessage,
  address: Address,
  host: string,
  isGateway: boolean,
): boolean {
  const isDirect =
    (isGateway && one(request, 'x-toprung-direct') === '1') ||
    forwardingHeaders.every((name) => request.headers[name] === undefined);
  return (
    isLoopback(address) && isDirect && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
  );
}

function one(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
