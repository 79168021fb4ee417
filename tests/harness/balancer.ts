import { createConnection, createServer, type Socket } from 'node:net';
import { listenOn } from './listen-on.ts';

export interface Balancer {
  url: string;
  /** New connections go to these ports, one after another; those that exist stay. */
  setPorts(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** Spreads TCP connections over the ports of 127.0.0.1 that accept them. */
export async function startBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  let next = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    const order = ports.map((_, index) => ports[(next + index) % ports.length]!);
    next += 1;
    connectToFirst(client, order);
  });
  const { port, close } = await listenOn(server);
  return {
    url: `http://127.0.0.1:${port}`,
    setPorts: (list) => {
      ports = list;
    },
    close,
  };
}

function connectToFirst(client: Socket, [port, ...others]: number[]): void {
  if (port === undefined) return void client.resetAndDestroy();
  const server = createConnection({ port, host: '127.0.0.1' });
  const tryOther = () => connectToFirst(client, others);
  server.once('error', tryOther);
  server.once('connect', () => {
    server.off('error', tryOther);
    server.on('error', () => client.resetAndDestroy());
    server.pipe(client).pipe(server);
    client.on('close', () => server.destroy());
  });
}
