import { extname } from 'node:path';
import { Tinypool } from 'tinypool';
import type { Config } from '#config/env.ts';
import type { Clock, PopularityFiles } from '#domain/base/ports.ts';
import type { Database } from '../database.ts';
import type { PopularityThreadTask } from './popularity-thread.ts';

export interface OwnPopularityFiles extends PopularityFiles {
  /** Ends a running import, which begins anew at the next start. */
  stop(): void;
}

/** Apple's file takes half of it. A file that needs more ends its thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 16 };

/** Reads files in a thread of its own, which ends after each one. */
export function openPopularityFiles(
  config: Pick<Config, 'LOG_LEVEL'>,
  { urlOf }: Pick<Database, 'urlOf'>,
  clock: Clock,
): OwnPopularityFiles {
  const closing = new AbortController();
  return {
    async importFile(task, signal) {
      const pool = new Tinypool({
        filename: new URL(`./popularity-thread${extname(import.meta.url)}`, import.meta.url).href,
        minThreads: 0,
        maxThreads: 1,
        execArgv: [],
        resourceLimits,
      });
      const given: PopularityThreadTask = {
        ...task,
        systemUrl: urlOf('system'),
        logLevel: config.LOG_LEVEL,
        nowMs: clock.now().getTime(),
      };
      try {
        await pool.run(given, { signal: AbortSignal.any([signal, closing.signal]) });
      } finally {
        await pool.destroy();
      }
    },
    stop: () => closing.abort(new Error('the process is stopping')),
  };
}
