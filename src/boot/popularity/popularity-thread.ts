/** The entry of a thread that reads files of popularity, so that requests do not wait for it. */
import { setPriority } from 'node:os';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import type { PopularityFileTask } from '#domain/base/ports.ts';
import { importPopularityFile } from '#domain/transfer/popularity/import-popularity-file.ts';
import { createLogger } from '#lib/logger.ts';
import { openSheet } from '#spreadsheets/open-sheet.ts';

export interface PopularityThreadTask extends PopularityFileTask {
  systemUrl: string;
  logLevel: string;
  /** The time of the caller's clock. */
  nowMs: number;
}

const threadPriority = 15;

// On Linux this is the priority of the thread alone.
if (process.platform === 'linux') setPriority(threadPriority);

export default async function readPopularityFile(given: PopularityThreadTask): Promise<void> {
  const { systemUrl: url, logLevel, nowMs, ...task } = given;
  const startedMs = performance.now();
  const clock = { now: () => new Date(nowMs + performance.now() - startedMs) };
  const log = createLogger(logLevel);
  const system = openPool({
    url,
    role: 'system',
    max: 1,
    statementTimeoutMs: 30_000,
    endsWithClient: true,
    log,
  });
  try {
    const services = { systemDb: openDatabase(system), clock };
    // The thread is ended from outside.
    await importPopularityFile(services, openSheet, task, new AbortController().signal);
  } finally {
    await system.end();
  }
}
