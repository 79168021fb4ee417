import type { IncomingMessage } from 'node:http';
import {
  createTrust,
  isForwarded,
  isLoopback,
  parseAddress,
  rightmostUntrusted,
} from '#lib/client-address.ts';

export interface Forwarding {
  https: boolean;
  /** Replaces any value that the client sent. */
  headers: Record<string, string>;
}

/**
 * Adds the client's address for the API, which counts by address. A client must not be able to
 * choose its own.
 */
export function createForwarding(options: {
  trustProxy: readonly string[];
  isOnSocket?: boolean | undefined;
  publicUrl: string | null;
  gatewayKey?: string | undefined;
}) {
  const isTrusted = createTrust(options.trustProxy);
  const publicHttps = options.publicUrl?.startsWith('https:') === true;
  return (request: IncomingMessage): Forwarding => {
    const peer = parseAddress(request.socket.remoteAddress) ?? parseAddress('0.0.0.0')!;
    // A socket has no addresses, and neither has a connection that is closed.
    const believed = options.isOnSocket === true || isTrusted(peer);
    const client = believed
      ? rightmostUntrusted(one(request, 'x-forwarded-for'), peer, isTrusted)
      : peer;
    const https = believed && newest(request, 'x-forwarded-proto') === 'https';
    const host = (believed && newest(request, 'x-forwarded-host')) || request.headers.host || '';
    const isDirect = isLoopback(client) && !isForwarded(request);
    return {
      https: https || publicHttps,
      headers: {
        'x-forwarded-for': client.toString(),
        'x-forwarded-proto': https ? 'https' : 'http',
        'x-forwarded-host': host,
        'x-toprung-direct': isDirect ? '1' : '0',
        ...(options.gatewayKey !== undefined && { 'x-toprung-gateway': options.gatewayKey }),
      },
    };
  };
}

/**
 * The last entry of the list, which the nearest proxy added. Earlier entries come from the client.
 */
function newest(request: IncomingMessage, name: string): string | undefined {
  return one(request, name)?.split(',').at(-1)?.trim();
}

function one(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.at(-1) : value;
}
