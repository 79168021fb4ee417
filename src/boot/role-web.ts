import type { Config } from '../config/env.ts';
import { buildGateway } from '../gateway/server.ts';
import { closeServer, listenOnFreePort, urlFromHere } from '../lib/listen.ts';
import type { Logger } from '../lib/logger.ts';
import type { AnswerMcp } from '../lib/mcp-call.ts';
import { gatewayKeyOf, readAuthSecret } from './secret.ts';
import { ensureDashboard, webDist } from './web-build.ts';

export interface WebRole {
  url: string;
  close(): Promise<void>;
}

export interface WebOptions {
  config: Config;
  apiUrl: string;
  log: Logger;
  say: (line: string) => void;
  /** What answers /mcp. */
  mcp?: AnswerMcp | undefined;
}

/** The web origin: the dashboard's files, and /api/backend in front of the API. */
export async function startWeb({ config, apiUrl, log, say, mcp }: WebOptions): Promise<WebRole> {
  await ensureDashboard(say);
  const gatewayKey = gatewayKeyOf(await readAuthSecret(config));
  const app = await buildGateway({
    apiUrl,
    webDist,
    trustProxy: config.TRUST_PROXY,
    publicUrl: config.PUBLIC_URL,
    log,
    gatewayKey,
    mcp,
  });
  const port = await listenOnFreePort(app, config.WEB_HOST, config.WEB_PORT);
  if (config.WEB_PORT !== 0 && port !== config.WEB_PORT)
    say(
      `Port ${config.WEB_PORT} is taken; a free one was chosen. Set WEB_PORT to choose it yourself.`,
    );
  const host =
    config.WEB_HOST === '0.0.0.0' || config.WEB_HOST === '::' ? 'localhost' : config.WEB_HOST;
  return { url: urlFromHere(host, port), close: () => closeServer(app) };
}
