import { createServer, type ServerResponse } from 'node:http';
import { listenOnSocket } from '#lib/listen-on-socket.ts';
import type { HealthCheck, HealthReport } from './health-report.ts';

/** Resolves to the parts that this role depends on. */
export type HealthProbe = () => Promise<HealthCheck[]>;

export interface HealthServer {
  /** Called once the role is up. */
  setReady(probe: HealthProbe): void;
  close(): Promise<void>;
}

const off: HealthServer = { setReady: () => undefined, close: async () => undefined };

/**
 * Reports the state of this process on a Unix socket: `/live` says that its event loop runs, and
 * `/ready` also asks what it depends on. It is no route of the API, because every route of the API
 * needs a credential. Without a path nothing is served.
 */
export async function serveHealth(path: string | null, role: string): Promise<HealthServer> {
  if (path === null) return off;
  let probe: HealthProbe | null = null;
  const server = createServer((request, response) => {
    const requested = request.url === '/ready' ? probe : null;
    void reportState(role, probe !== null, requested).then((report) => send(response, report));
  });
  const listen = ({ path }: { path: string }): Promise<string> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, () => resolve(path));
    });
  await listenOnSocket({ listen }, path, 'HEALTH_SOCKET');
  return {
    setReady: (ready) => {
      probe = ready;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function reportState(
  role: string,
  isUp: boolean,
  probe: HealthProbe | null,
): Promise<HealthReport> {
  const checks = (await probe?.().catch(() => [{ name: 'process', ok: false }])) ?? [];
  const isWell = checks.every(({ ok }) => ok);
  return {
    role,
    state: !isUp ? 'starting' : isWell ? 'ok' : 'failing',
    uptimeSeconds: Math.floor(process.uptime()),
    checks,
  };
}

function send(response: ServerResponse, report: HealthReport): void {
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify(report));
}
