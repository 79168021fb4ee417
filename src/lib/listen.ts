import type { AddressInfo } from 'node:net';

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
