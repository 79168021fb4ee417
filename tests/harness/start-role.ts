import { createServer } from 'node:net';
import { start, type Role } from '#boot/start.ts';
import { handleMcpLazily } from '#cli/lazy-mcp.ts';
import { readConfig } from '#config/env.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';

export interface RunningRole {
  /** Empty for a worker. */
  url: string;
  stop(): Promise<void>;
}

/**
 * A role of the product in this process, with the settings of `environment` and no others: it
 * starts in a fifth of the time of `toprung start --role`.
 */
export async function startRole(
  role: Role,
  environment: Record<string, string>,
): Promise<RunningRole> {
  const shutdownStack = new ShutdownStack();
  const running = await start({
    config: readConfig({ LOG_LEVEL: 'error', ...environment }),
    role,
    say: () => {},
    mcp: handleMcpLazily,
    shutdownStack,
  });
  const url = running.webUrl ?? running.apiUrl ?? '';
  return { url, stop: () => shutdownStack.close() };
}

let webPort = 0;

/**
 * The dashboard, at the address of the one before it in this process, whose files browsers still
 * have in their caches.
 */
export async function startWeb(environment: Record<string, string>): Promise<RunningRole> {
  const port = (await isFree(webPort)) ? webPort : 0;
  const running = await startRole('web', { ...environment, WEB_PORT: String(port) });
  webPort ||= Number(new URL(running.url).port);
  return running;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
