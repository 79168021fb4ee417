import { extname } from 'node:path';
import { Tinypool } from 'tinypool';
import type { Config } from '#config/env.ts';
import type { Clock, HistoryFiles } from '#domain/base/ports.ts';
import { textTables } from '#spreadsheets/text-tables.ts';
import type { Database } from '../database.ts';
import type { HistoryThreadTask } from './history-thread.ts';

export interface OwnHistoryFiles extends HistoryFiles {
  /** Ends a running check, which begins anew at the next start. */
  stop(): void;
}

/** A file that needs more ends its thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 16 };

/** Reads files in a thread of its own, which ends after each one. */
export function openHistoryFiles(
  config: Pick<Config, 'LOG_LEVEL'>,
  { urlOf }: Pick<Database, 'urlOf'>,
  clock: Clock,
): OwnHistoryFiles {
  const closing = new AbortController();
  return {
    tables: textTables,
    async checkFile(task, signal) {
      const pool = new Tinypool({
        filename: new URL(`./history-thread${extname(import.meta.url)}`, import.meta.url).href,
        minThreads: 0,
        maxThreads: 1,
        execArgv: [],
        resourceLimits,
      });
      const given: HistoryThreadTask = {
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
