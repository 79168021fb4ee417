import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ApiError, type Client } from '../client/http.ts';
import type { Logger } from '../lib/logger.ts';
import { SetupFault } from '../lib/setup-fault.ts';
import { createCaller } from './caller.ts';
import { createMcpServer } from './server.ts';
import { toolsets, type Toolset } from './tool.ts';

export interface StdioOptions {
  /** Of a running instance: what a person opens, or its /mcp or /api/backend. */
  url: string;
  token: string;
  readOnly: boolean;
  toolsets?: readonly Toolset[] | undefined;
  log: Logger;
}

/** Serves the tools on stdin and stdout until stdin ends. Throws SetupFault with what to do when address or token are wrong. */
export async function serveMcpOnStdio({
  url,
  token,
  readOnly,
  toolsets: wanted,
  log,
}: StdioOptions): Promise<void> {
  const api = createCaller({
    apiUrl: `${url.replace(/\/(api\/backend|mcp)?\/*$/, '')}/api/backend`,
    token,
  });
  const session = await checkCaller(api, url);
  const ended = Promise.withResolvers<void>();
  process.stdin.once('close', ended.resolve);
  serveStdio(
    () => createMcpServer({ api, log, readOnly: readOnly || session.readOnly, toolsets: wanted }),
    {
      onerror: (error) => log.debug({ error: error.message }, 'a message was refused'),
    },
  );
  await ended.promise;
}

async function checkCaller(api: Client, url: string): Promise<{ readOnly: boolean }> {
  try {
    return await api('GET /auth/session');
  } catch (error) {
    throw new SetupFault(describe(error, url), { cause: error });
  }
}

function describe(error: unknown, url: string): string {
  if (isRedirect(error))
    return `${url} leads on to another address, where no token is sent. Set TOPRUNG_URL (or --url) to the one that your browser ends up at.`;
  if (!(error instanceof ApiError))
    return `${url} cannot be reached. Is Toprung running there? Set TOPRUNG_URL (or --url) to the address that you open in a browser.`;
  const { status, envelope } = error;
  if (status === 401)
    return `${url} does not know this token. Make one in the dashboard under Settings, API tokens, and set it as TOPRUNG_TOKEN.`;
  if (status === 404 || envelope.code === 'unavailable')
    return `${url} does not answer as Toprung does (${status}). Set TOPRUNG_URL (or --url) to the address that you open in a browser.`;
  const wait =
    envelope.retryAfterSeconds === undefined
      ? ''
      : ` Try again in ${envelope.retryAfterSeconds} s.`;
  return `${url} refused: ${envelope.message}${wait}`;
}

/** fetch says so in the cause alone. */
function isRedirect(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    error.cause instanceof Error &&
    error.cause.message === 'unexpected redirect'
  );
}

/** `apps,rankings`, or null for a name that is none. */
export function readToolsets(text: string): Toolset[] | null {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name): name is Toolset => (toolsets as readonly string[]).includes(name))
    ? names
    : null;
}
