import { createConnection, createServer, type Socket } from 'node:net';

const checkEveryMs = 300;
const timeoutMs = 1_000;
/** A busy machine may be late for one check. */
const checksUntilDown = 3;

export interface HostBalancer {
  url: string;
  /** New connections go to the other hosts; those that exist stay. */
  leaveOut(host: string): void;
  takeIn(host: string): void;
  /** Whether the last check of the host was good. */
  isUp(host: string): boolean;
  close(): Promise<void>;
}

/**
 * Spreads TCP connections over hosts, as HAProxy does with `check` and `on-marked-down
 * shutdown-sessions`: a host that accepts no connection gets none, and those that it has end.
 */
export async function startHostBalancer(
  listenOn: string,
  hosts: readonly string[],
  port: number,
): Promise<HostBalancer> {
  const down = new Set<string>();
  const leftOut = new Set<string>();
  const open = new Map<string, Set<Socket>>(hosts.map((host) => [host, new Set()]));
  const sockets = new Set<Socket>();
  let next = 0;

  const failures = new Map<string, number>();
  const check = (host: string) => {
    const probe = createConnection({ host, port, timeout: timeoutMs });
    const end = (isGood: boolean) => {
      probe.destroy();
      failures.set(host, isGood ? 0 : (failures.get(host) ?? 0) + 1);
      if (isGood) return void down.delete(host);
      if (failures.get(host)! < checksUntilDown) return;
      down.add(host);
      for (const socket of open.get(host)!) socket.resetAndDestroy();
    };
    probe.once('connect', () => end(true));
    probe.once('timeout', () => end(false));
    probe.once('error', () => end(false));
  };
  const checks = setInterval(() => hosts.forEach(check), checkEveryMs);

  const connectToFirst = (client: Socket, [host, ...others]: string[]) => {
    if (host === undefined) return void client.resetAndDestroy();
    const server = createConnection({ host, port, timeout: timeoutMs });
    const tryOther = () => {
      server.destroy();
      connectToFirst(client, others);
    };
    server.once('error', tryOther);
    server.once('timeout', tryOther);
    server.once('connect', () => {
      server.off('error', tryOther).off('timeout', tryOther);
      server.setTimeout(0);
      open.get(host)!.add(client);
      server.on('error', () => client.resetAndDestroy());
      server.pipe(client).pipe(server);
      client.on('close', () => {
        open.get(host)!.delete(client);
        server.destroy();
      });
    });
  };
  const balancer = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.once('close', () => sockets.delete(client));
    const usable = hosts.filter((host) => !down.has(host) && !leftOut.has(host));
    next += 1;
    connectToFirst(
      client,
      usable.map((_, index) => usable[(next + index) % usable.length]!),
    );
  });
  await new Promise<void>((resolve) => balancer.listen(0, listenOn, resolve));
  const address = balancer.address() as { port: number };
  return {
    url: `http://${listenOn}:${address.port}`,
    leaveOut: (host) => void leftOut.add(host),
    takeIn: (host) => void leftOut.delete(host),
    isUp: (host) => !down.has(host),
    close: async () => {
      clearInterval(checks);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => balancer.close(resolve));
    },
  };
}
