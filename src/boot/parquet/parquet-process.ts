/** The entry of a process that writes Parquet files, and returns all memory that this takes. */
import { openDatabase } from '#db/database.ts';
import { connectTimeoutMs } from '#db/driver/with-client.ts';
import { openPool } from '#db/pool.ts';
import type { WrittenParquet } from '#domain/base/ports.ts';
import { writeParquetFiles } from '#domain/transfer/parquet/write-parquet-files.ts';
import { systemClock } from '#lib/clock.ts';
import { createLogger } from '#lib/logger.ts';
import { openPositionFolder } from '#parquet/open-position-folder.ts';
import { priorities, setProcessPriority } from '../thread-priority.ts';

export interface ParquetTask {
  appUrl: string;
  systemUrl: string;
  folder: string;
  product: string;
  logLevel: string;
}

/** The message to the process that waits for the files. */
export type ParquetOutcome = { written: WrittenParquet } | { error: string };

/** The fingerprints of a workspace read all of its months. */
const statementTimeoutMs = 600_000;

setProcessPriority(priorities.nightly);
// Also after that process was killed: another one writes the files then.
process.once('disconnect', () => process.exit());
process.once('message', (task: ParquetTask) => void report(task));

async function report(task: ParquetTask): Promise<void> {
  const outcome: ParquetOutcome = await writeParquet(task).then(
    (written) => ({ written }),
    (error: Error) => ({ error: error.message }),
  );
  process.send!(outcome, () => process.disconnect());
}

async function writeParquet(task: ParquetTask): Promise<WrittenParquet> {
  const log = createLogger(task.logLevel);
  const open = (url: string, role: 'app' | 'system') =>
    openPool({
      url,
      role,
      max: 1,
      statementTimeoutMs,
      connectTimeoutMs,
      endsWithClient: true,
      log,
    });
  const [app, system] = [open(task.appUrl, 'app'), open(task.systemUrl, 'system')];
  try {
    return await writeParquetFiles(
      { appDb: openDatabase(app), systemDb: openDatabase(system), clock: systemClock },
      openPositionFolder(task.folder, task.product),
      // The process is ended from outside.
      new AbortController().signal,
    );
  } finally {
    await Promise.all([app.end(), system.end()]);
  }
}
