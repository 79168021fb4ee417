import type { IncomingMessage } from 'node:http';
import {
  bucketOf,
  createTrust,
  isForwarded,
  isLoopback,
  parseAddress,
  rightmostUntrusted,
  type Address,
} from '#lib/client-address.ts';
import type { ApiConfig } from './context.ts';

/** The client of a request, as far as its headers can be trusted. */
export interface Client {
  /** The key for counting. */
  bucket: string;
  address: string;
  https: boolean;
  /** The host as the user typed it. */
  host: string;
  /** The path under which the gateway serves us: `/api/backend`, or empty. */
  prefix: string;
  /** The client is on this machine, with no known proxy in between. */
  isLocal: boolean;
}

export type ClientReader = (request: IncomingMessage) => Client;

/**
 * X-Forwarded-* headers are trusted from the gateway on loopback and from configured proxies only.
 */
export function createClientReader(
  config: Pick<ApiConfig, 'trustProxy' | 'publicUrl' | 'gatewayKey'>,
): ClientReader {
  const isTrusted = createTrust(config.trustProxy);
  const publicHttps = config.publicUrl?.startsWith('https:') === true;
  const peers = new WeakMap<object, Address>();
  /** The remote end of a connection never changes. */
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
    // An empty Host stays empty: the gateway's own request has one that looks local.
    const forwarded = believed ? one(request, 'x-forwarded-host') : undefined;
    const host = forwarded ?? request.headers.host ?? '';
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
 * An unknown proxy would make every client look local, so signs of a proxy disqualify a request.
 * The gateway sends x-toprung-direct when there were none. A foreign host name means DNS
 * rebinding.
 */
function isLocal(
  request: IncomingMessage,
  address: Address,
  host: string,
  isGateway: boolean,
): boolean {
  const isDirect = (isGateway && one(request, 'x-toprung-direct') === '1') || !isForwarded(request);
  return (
    isLoopback(address) && isDirect && /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)
  );
}

function one(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
