import { extname } from 'node:path';
import { Tinypool } from 'tinypool';
import type { Config } from '#config/env.ts';
import type { Clock } from '#domain/base/ports.ts';
import type { Database } from '../database.ts';

export interface ThreadInput<Task> {
  settings: {
    systemUrl: string;
    logLevel: string;
    /** The time of the caller's clock. */
    nowMs: number;
  };
  task: Task;
}

export interface FileThread<Task> {
  /** Resolves when the task is done, and throws the signal's reason when it was aborted. */
  run(task: Task, signal: AbortSignal): Promise<void>;
  /** Ends a running task, which begins anew at the next start. */
  stop(): void;
}

/** Apple's file takes half of it. A file that needs more ends its thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 16 };

/** Reads files in a thread of its own, which ends after each one. */
export function openFileThread<Task extends object>(
  name: 'history-thread' | 'popularity-thread',
  config: Pick<Config, 'LOG_LEVEL'>,
  { urlOf }: Pick<Database, 'urlOf'>,
  clock: Clock,
): FileThread<Task> {
  const closing = new AbortController();
  return {
    async run(task, signal) {
      const pool = new Tinypool({
        filename: new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href,
        minThreads: 0,
        maxThreads: 1,
        execArgv: [],
        resourceLimits,
      });
      const input: ThreadInput<Task> = {
        settings: {
          systemUrl: urlOf('system'),
          logLevel: config.LOG_LEVEL,
          nowMs: clock.now().getTime(),
        },
        task,
      };
      try {
        await pool.run(input, { signal: AbortSignal.any([signal, closing.signal]) });
      } finally {
        await pool.destroy();
      }
    },
    stop: () => closing.abort(new Error('the process is stopping')),
  };
}
