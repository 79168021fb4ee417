import { setPriority } from 'node:os';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import type { Services } from '#domain/base/context.ts';
import type { Clock } from '#domain/base/ports.ts';
import { createLogger } from '#lib/logger.ts';
import type { ThreadInput } from './file-thread.ts';

type ThreadServices = Pick<Services, 'systemDb'> & { clock: Pick<Clock, 'now'> };

const threadPriority = 15;

// On Linux this is the priority of the thread alone.
if (process.platform === 'linux') setPriority(threadPriority);

/** The entry of a thread: runs a task with a connection of its own and the caller's time. */
export const threadEntry =
  <Task>(run: (services: ThreadServices, task: Task, signal: AbortSignal) => Promise<void>) =>
  async ({ settings, task }: ThreadInput<Task>): Promise<void> => {
    const startedMs = performance.now();
    const clock = { now: () => new Date(settings.nowMs + performance.now() - startedMs) };
    const system = openPool({
      url: settings.systemUrl,
      role: 'system',
      max: 1,
      statementTimeoutMs: 30_000,
      endsWithClient: true,
      log: createLogger(settings.logLevel),
    });
    try {
      // The thread is ended from outside.
      await run({ systemDb: openDatabase(system), clock }, task, new AbortController().signal);
    } finally {
      await system.end();
    }
  };
