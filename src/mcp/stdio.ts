import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ApiError, type Client } from '#client/http.ts';
import { CommandError } from '#lib/command-error.ts';
import type { Logger } from '#lib/logger.ts';
import { SetupError } from '#lib/setup-error.ts';
import { createApiClient } from '#client/api-client.ts';
import { apiUrlOf, describeRedirect, isRedirect } from '#client/instance-address.ts';
import { isSession } from '#client/is-session.ts';
import { createMcpServer } from './server.ts';
import { toolsets, type Toolset } from './tool.ts';

export interface StdioOptions {
  /** The address of a running instance as opened in a browser, or its /mcp or /api/backend. */
  url: string;
  token: string;
  readOnly: boolean;
  toolsets?: readonly Toolset[] | undefined;
  log: Logger;
}

/**
 * Serves the tools on stdin and stdout until stdin ends. Throws SetupError with a remedy when the
 * address or the token is wrong, and CommandError when the instance cannot be used now.
 */
export async function serveMcpOnStdio({
  url,
  token,
  readOnly,
  toolsets: requested,
  log,
}: StdioOptions): Promise<void> {
  const api = createApiClient({ apiUrl: apiUrlOf(url), token });
  const session = await checkCredential(api, url);
  const ended = Promise.withResolvers<void>();
  process.stdin.once('close', ended.resolve);
  serveStdio(
    () =>
      createMcpServer({ api, log, readOnly: readOnly || session.readOnly, toolsets: requested }),
    {
      onerror: (error) => log.debug({ error: error.message }, 'message rejected'),
    },
  );
  await ended.promise;
}

async function checkCredential(api: Client, url: string): Promise<{ readOnly: boolean }> {
  const session = await api('GET /auth/session').catch((error: unknown) => {
    throw explain(error, url);
  });
  if (!isSession(session)) throw new SetupError(describeStranger(url, 200));
  return session;
}

const describeStranger = (url: string, status: number): string =>
  `${url} is not Toprung (it responded ${status}). Set TOPRUNG_URL (or --url) to the address ` +
  'that you open in a browser.';

function explain(error: unknown, url: string): SetupError | CommandError {
  if (isRedirect(error)) return new SetupError(describeRedirect(url));
  if (!(error instanceof ApiError))
    return new CommandError(
      `${url} cannot be reached. Is Toprung running there? Set TOPRUNG_URL (or --url) to the ` +
        'address that you open in a browser.',
    );
  const { status, message, envelope, isOfStranger } = error;
  if (status === 401)
    return new SetupError(
      `${url} rejected this token. Create one in the dashboard under Settings, API ` +
        'tokens, and set it as TOPRUNG_TOKEN.',
    );
  // A proxy responds 502 or 503 for an instance that is starting.
  if (status === 404 || (isOfStranger && status < 500))
    return new SetupError(describeStranger(url, status));
  const { retryAfterSeconds: seconds } = envelope;
  const next = seconds === undefined ? '' : ` Try again in ${seconds} s.`;
  return new CommandError(
    status < 500
      ? `${url} rejected the request: ${message}${next}`
      : `${url} is not available: ${message}${next || ' Try again, or check the address.'}`,
  );
}

/** `apps,rankings`, or null for an unknown name. */
export function readToolsets(text: string): Toolset[] | null {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name): name is Toolset => (toolsets as readonly string[]).includes(name))
    ? names
    : null;
}
