import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createCore, type CoreOptions, type SimulatorCore } from './core.ts';
import { createHandler, type Handle } from './handle.ts';

export type { FaultName, FaultRule } from './faults/fault-injector.ts';
export type { Counts, LogEntry } from './http/request-log.ts';
export type {
  EntrantOverride,
  PositionOverride,
  ReleaseOverride,
  ReviewOverride,
  Overrides,
} from './world/overrides.ts';
export type { SimReview } from './world/reviews.ts';
export type { SearchMode, SearchModeRule } from './world/search-modes.ts';
export type { GroundTruth, WorldOptions } from './world/world.ts';
export { demoApps, demoPhrases } from './world/demo-apps.ts';

export interface SimulatorOptions extends CoreOptions {
  /** 0, the default, takes a free port. Further listeners take free ports. */
  port?: number;
  /** Loopback by default. */
  host?: string;
  /** The number of ports, each an egress address of its own when used as a proxy; 1 by default. */
  listeners?: number;
  /** Compresses for clients that accept gzip; true by default. */
  compress?: boolean;
}

export interface Simulator extends SimulatorCore {
  /** STORE_BASE_URL of the first listener. */
  baseUrl: string;
  port: number;
  /** One address per listener, usable as HTTP proxies. */
  proxyUrls: string[];
  close(): Promise<void>;
}

/** Starts all stores on this machine. No request leaves it. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const core = createCore(options);
  const host = options.host ?? '127.0.0.1';
  const count = Math.min(64, Math.max(1, options.listeners ?? 1));
  let baseUrl = '';
  const handle = createHandler({ core, compress: options.compress ?? true });
  const servers: Server[] = [];
  for (let index = 0; index < count; index++) {
    servers.push(
      await listen(createListener(handle, count > 1), index === 0 ? (options.port ?? 0) : 0, host),
    );
  }
  const proxyUrls = servers.map((server) => `http://${host}:${portOf(server)}`);
  baseUrl = proxyUrls[0]!;
  return { ...core, baseUrl, port: portOf(servers[0]!), proxyUrls, close: () => closeAll(servers) };
}

/** With several listeners the port is the client's address; with one it is the socket's. */
function createListener(handle: Handle, byPort: boolean): Server {
  const server = createServer((message, response) => {
    const { socket } = message;
    const address = byPort ? `proxy:${socket.localPort}` : (socket.remoteAddress ?? 'unknown');
    handle(message, response, address).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`simulator: ${error instanceof Error ? error.message : String(error)}`);
    });
  });
  // Tunnels end here too, whatever host they name.
  server.on('connect', (_message, socket: Socket) => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    server.emit('connection', socket);
  });
  server.keepAliveTimeout = 30_000;
  return server;
}

async function listen(server: Server, port: number, host: string): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
