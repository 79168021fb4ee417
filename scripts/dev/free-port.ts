import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port that is free now and that the system does not assign to others at once. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer().listen({ host, port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
