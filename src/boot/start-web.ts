import type { Config } from '#config/env.ts';
import { buildGateway } from '#gateway/server.ts';
import { closeServer, drainServer, listenOnFreePort, localUrlOf } from '#lib/listen.ts';
import { listenOnSocket } from '#lib/listen-on-socket.ts';
import type { Logger } from '#lib/logger.ts';
import type { McpHandler } from '#lib/mcp-handler.ts';
import { gatewayKeyOf, readAuthSecret } from './secrets.ts';
import { ensureDashboard, webDist } from './dashboard-build.ts';

export interface WebRole {
  url: string;
  close(): Promise<void>;
}

export interface WebOptions {
  config: Config;
  apiUrl: string;
  log: Logger;
  say: (line: string) => void;
  /** Handles /mcp. */
  mcp?: McpHandler | undefined;
  servesDashboard?: boolean | undefined;
  /** Others keep connections to this process, and may go on while it stops. */
  isAlone?: boolean;
}

/** Starts the web origin: the dashboard's files, and /api/backend in front of the API. */
export async function startWeb({
  config,
  apiUrl,
  log,
  say,
  mcp,
  servesDashboard = true,
  isAlone = false,
}: WebOptions): Promise<WebRole> {
  if (servesDashboard) await ensureDashboard(say);
  const gatewayKey = gatewayKeyOf(await readAuthSecret(config));
  const app = await buildGateway({
    apiUrl,
    webDist: servesDashboard ? webDist : null,
    trustProxy: config.TRUST_PROXY,
    isOnSocket: config.WEB_SOCKET !== null,
    publicUrl: config.PUBLIC_URL,
    log,
    gatewayKey,
    mcp,
  });
  const close = async () => {
    if (isAlone) await drainServer(app);
    await closeServer(app);
  };
  if (config.WEB_SOCKET !== null) {
    await listenOnSocket(app, config.WEB_SOCKET, 'WEB_SOCKET');
    return { url: `unix:${config.WEB_SOCKET}`, close };
  }
  const port = await listenOnFreePort(app, config.WEB_HOST, config.WEB_PORT);
  if (config.WEB_PORT !== 0 && port !== config.WEB_PORT)
    say(
      `Port ${config.WEB_PORT} is taken; a free one was chosen. Set WEB_PORT to choose it ` +
        'yourself.',
    );
  const host =
    config.WEB_HOST === '0.0.0.0' || config.WEB_HOST === '::' ? 'localhost' : config.WEB_HOST;
  return { url: localUrlOf(host, port), close };
}
