/** The entry of a thread that writes Parquet files, so that requests do not wait for it. */
import { setPriority } from 'node:os';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import type { WrittenParquet } from '#domain/base/ports.ts';
import { writeParquetFiles } from '#domain/transfer/parquet/write-parquet-files.ts';
import { systemClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import { openPositionFolder } from '#parquet/open-position-folder.ts';

export interface ParquetTask {
  appUrl: string;
  systemUrl: string;
  folder: string;
  product: string;
  logLevel: string;
}

const threadPriority = 15;
/** The fingerprints of a workspace read all of its months. */
const statementTimeoutMs = 600_000;

// On Linux this is the priority of the thread alone.
if (process.platform === 'linux') setPriority(threadPriority);

export default async function writeParquet(task: ParquetTask): Promise<WrittenParquet> {
  const log = createLogger(task.logLevel);
  const open = (url: string, role: 'app' | 'system') =>
    openPool({ url, role, max: 1, statementTimeoutMs, endsWithClient: true, log });
  const [app, system] = [open(task.appUrl, 'app'), open(task.systemUrl, 'system')];
  try {
    return await writeParquetFiles(
      { appDb: openDatabase(app), systemDb: openDatabase(system), clock: systemClock },
      openPositionFolder(task.folder, task.product),
      // The thread is ended from outside.
      new AbortController().signal,
    );
  } finally {
    await Promise.all([app.end(), system.end()]);
  }
}
