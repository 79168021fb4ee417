/** The entry of a thread that reads histories of other tools, so that requests do not wait. */
import { setPriority } from 'node:os';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import type { HistoryFileTask } from '#domain/base/ports.ts';
import { checkHistoryFile } from '#domain/transfer/history/check-file.ts';
import { createLogger } from '#lib/logger.ts';
import { textTables } from '#spreadsheets/text-tables.ts';

export interface HistoryThreadTask extends HistoryFileTask {
  systemUrl: string;
  logLevel: string;
  /** The time of the caller's clock. */
  nowMs: number;
}

const threadPriority = 15;

// On Linux this is the priority of the thread alone.
if (process.platform === 'linux') setPriority(threadPriority);

export default async function readHistoryFile(given: HistoryThreadTask): Promise<void> {
  const { systemUrl: url, logLevel, nowMs, ...task } = given;
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
    const services = { systemDb: openDatabase(system), clock };
    // The thread is ended from outside.
    await checkHistoryFile(services, textTables, task, new AbortController().signal);
  } finally {
    await system.end();
  }
}
