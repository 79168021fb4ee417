import type { Server, ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isLoopback, parseAddress } from './client-address.ts';

interface Listener {
  listen(options: { host: string; port: number }): Promise<string>;
  server: { address(): AddressInfo | string | null };
}

/** Listens on the port, or on a free one when it is taken; resolves to the port. */
export async function listenOnFreePort(app: Listener, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await app.listen({ host, port: 0 });
  }
  return (app.server.address() as AddressInfo).port;
}

/** The wildcard address cannot be connected to; loopback can. */
const ownOf = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The address at which this machine reaches a server on the host and port. */
export function localUrlOf(host: string, port: number): string {
  const own = ownOf.get(host) ?? host;
  return `http://${isIPv6(own) ? `[${own}]` : own}:${port}`;
}

/** True when only this machine can reach a server on the host. */
export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host);
  return address === null ? host === 'localhost' : isLoopback(address);
}

/**
 * Connections that the kernel has accepted already would be reset by the close. They are taken in
 * the next rounds of the event loop.
 */
async function acceptPending(): Promise<void> {
  for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

const drainMs = 500;

/**
 * Ends kept connections with their next response, for half a second: a balancer or the web origin
 * then opens its next one elsewhere. A connection that closes between two requests could meet the
 * second one, which would fail.
 */
export async function drainServer({ server }: { server: Server }): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) =>
    response.setHeader('connection', 'close'),
  );
  const countOpen = promisify(server.getConnections.bind(server));
  const endMs = performance.now() + drainMs;
  while ((await countOpen()) > 0 && performance.now() < endMs) await sleep(20);
}

const inFlightMs = 10_000;

/**
 * Closes a server when its requests are done, after ten seconds at most. Node would keep a
 * connection that was busy at the close alive for a minute; here it closes as soon as it is idle.
 */
export async function closeServer(app: {
  close(): Promise<unknown>;
  server: { closeIdleConnections(): void; closeAllConnections(): void };
}): Promise<void> {
  await acceptPending();
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => app.server.closeAllConnections(), inFlightMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
  }
}
