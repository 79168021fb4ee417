import { openDatabase } from '#db/database.ts';
import { connectTimeoutMs } from '#db/driver/with-client.ts';
import { openPool } from '#db/pool.ts';
import type { Services } from '#domain/base/context.ts';
import type { Clock } from '#domain/base/ports.ts';
import { createLogger } from '#lib/logger.ts';
import type { ThreadInput } from './file-thread.ts';
import { priorities, setThreadPriority } from '../thread-priority.ts';

type ThreadServices = Pick<Services, 'systemDb'> & { clock: Pick<Clock, 'now'> };

setThreadPriority(priorities.files);

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
      connectTimeoutMs,
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
