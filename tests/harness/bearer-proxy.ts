import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BearerProxy {
  url: string;
  close(): Promise<void>;
}

/**
 * Adds a token to every request, for programs that cannot send one. Everything else passes as it
 * came, the host and the origin too.
 */
export async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const forwarded = sendRequest(
      new URL(incoming.url ?? '/', target),
      { method, headers: { ...headers, authorization: `Bearer ${token}` } },
      (response) => {
        outgoing.writeHead(response.statusCode!, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.once('error', () => outgoing.destroy());
    outgoing.once('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
