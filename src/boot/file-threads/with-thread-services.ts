import { setPriority } from 'node:os';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import type { Services } from '#domain/base/context.ts';
import type { Clock } from '#domain/base/ports.ts';
import { createLogger } from '#lib/logger.ts';
import type { ThreadSettings } from './file-thread.ts';

const threadPriority = 15;

// On Linux this is the priority of the thread alone.
if (process.platform === 'linux') setPriority(threadPriority);

/** Runs a task in a thread, with a connection of its own and the caller's time. */
export async function withThreadServices(
  { systemUrl: url, logLevel, nowMs }: ThreadSettings,
  run: (services: Pick<Services, 'systemDb'> & { clock: Pick<Clock, 'now'> }) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  const clock = { now: () => new Date(nowMs + performance.now() - startedMs) };
  const system = openPool({
    url,
    role: 'system',
    max: 1,
    statementTimeoutMs: 30_000,
    endsWithClient: true,
    log: createLogger(logLevel),
  });
  try {
    await run({ systemDb: openDatabase(system), clock });
  } finally {
    await system.end();
  }
}
