import { createConnection, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { listenOn } from './listen-on.ts';

/**
 * `silence`: bytes wait in both directions, and arrive later. `half-open`: the other side is gone
 * without a word. `reset`: connections break after so many bytes. `delay`: each chunk waits.
 */
export type NetworkFault =
  | { kind: 'silence' | 'half-open' }
  | { kind: 'reset'; afterBytes: number }
  | { kind: 'delay'; ms: number };

export interface FaultProxy {
  port: number;
  /** Null for a network without faults. */
  setFault(fault: NetworkFault | null): void;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  bytes: number;
}

/** Forwards TCP connections to a server, and injects faults of a network. */
export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  const links = new Set<Link>();
  let fault: NetworkFault | null = null;
  const open = (client: Socket) => {
    const link: Link = { client, server: createConnection(target), bytes: 0 };
    links.add(link);
    for (const [from, to] of [
      [client, link.server],
      [link.server, client],
    ] as const) {
      from.on('data', (chunk) => forward(link, to, chunk));
      from.on('error', () => undefined);
      from.on('end', () => void (fault?.kind !== 'half-open' && to.end()));
      from.on('close', () => void (fault?.kind !== 'half-open' && end(link)));
    }
    if (fault?.kind === 'silence') pause(link);
  };
  const forward = (link: Link, to: Socket, chunk: Buffer) => {
    link.bytes += chunk.length;
    if (fault?.kind === 'reset' && link.bytes > fault.afterBytes) return reset(link);
    if (fault?.kind === 'half-open') return;
    if (fault?.kind !== 'delay') return void to.write(chunk);
    setTimeout(() => void (to.destroyed || to.write(chunk)), fault.ms);
  };
  const end = (link: Link) => {
    links.delete(link);
    link.client.destroy();
    link.server.destroy();
  };
  const server = createServer(open);
  const { port, close } = await listenOn(server);
  return {
    port,
    setFault: (next) => {
      // Connections whose other side was gone are useless afterwards, and their owners do not know.
      if (fault?.kind === 'half-open') for (const { server: gone } of links) gone.destroy();
      fault = next;
      for (const link of links) {
        link.bytes = 0;
        if (next?.kind === 'silence') pause(link);
        else resume(link);
      }
    },
    close: async () => {
      for (const link of links) end(link);
      await close();
    },
  };
}

function pause({ client, server }: Link): void {
  client.pause();
  server.pause();
}

function resume({ client, server }: Link): void {
  client.resume();
  server.resume();
}

function reset({ client, server }: Link): void {
  client.resetAndDestroy();
  server.destroy();
}
