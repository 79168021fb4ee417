import { isIPv6, type AddressInfo } from 'node:net';
import { isLoopback, parseAddress } from './client-address.ts';

interface Listener {
  listen(options: { host: string; port: number }): Promise<string>;
  server: { address(): AddressInfo | string | null };
}

/** Listens on the port, or on a free one when it is taken; answers the port. */
export async function listenOnFreePort(app: Listener, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await app.listen({ host, port: 0 });
  }
  return (app.server.address() as AddressInfo).port;
}

/** What stands for every address of this machine is none to connect to; this machine's own is. */
const ownOf = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where this machine reaches what listens on the host and port. */
export function urlFromHere(host: string, port: number): string {
  const own = ownOf.get(host) ?? host;
  return `http://${isIPv6(own) ? `[${own}]` : own}:${port}`;
}

/** Whether nobody but this machine reaches what listens on the host. */
export function isOwnHost(host: string): boolean {
  const address = parseAddress(host);
  return address === null ? host === 'localhost' : isLoopback(address);
}

const inFlightMs = 10_000;

/**
 * Closes a server when its requests are answered, after ten seconds in any case. A connection that was busy when the server
 * began to close is kept alive after its answer, for a minute; here it goes as soon as it is idle.
 */
export async function closeServer(app: {
  close(): Promise<unknown>;
  server: { closeIdleConnections(): void; closeAllConnections(): void };
}): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => app.server.closeAllConnections(), inFlightMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
  }
}
