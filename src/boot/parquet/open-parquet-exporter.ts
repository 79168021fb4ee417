import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#config/env.ts';
import type { ParquetExporter, WrittenParquet } from '#domain/base/ports.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Database } from '../database.ts';
import type { ParquetOutcome, ParquetTask } from './parquet-process.ts';

export interface OwnParquetExporter extends ParquetExporter {
  /** Ends a running export; its file is not finished. */
  stop(): void;
}

/** Without limits the garbage of whole row groups stays in memory. */
const execArgv = ['--max-old-space-size=128', '--max-semi-space-size=4'];

/** Writes in a process of its own, which ends after each run. Null without PARQUET_AT. */
export function openParquetExporter(
  config: Config,
  { urlOf }: Pick<Database, 'urlOf'>,
): OwnParquetExporter | null {
  const { PARQUET_AT: atMinutes, PARQUET_DIR: folder, DATA_DIR: dataDir, LOG_LEVEL } = config;
  if (atMinutes === null) return null;
  const closing = new AbortController();
  return {
    atMinutes,
    write: (signal) =>
      writeInProcess(
        {
          appUrl: urlOf('app'),
          systemUrl: urlOf('system'),
          folder: folder ?? join(dataDir, 'exports'),
          product: packageJson.version,
          logLevel: LOG_LEVEL,
        },
        AbortSignal.any([signal, closing.signal]),
      ),
    isStopping: () => closing.signal.aborted,
    stop: () => closing.abort(new Error('the process is stopping')),
  };
}

/** Resolves when the process has ended. Throws the signal's reason when it was aborted. */
async function writeInProcess(task: ParquetTask, signal: AbortSignal): Promise<WrittenParquet> {
  signal.throwIfAborted();
  const entry = new URL(`./parquet-process${extname(import.meta.url)}`, import.meta.url);
  const child = fork(fileURLToPath(entry), {
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  let outcome: ParquetOutcome | null = null;
  child.once('message', (message: ParquetOutcome) => (outcome = message));
  // A process that ends at once takes no task; its exit is what counts.
  child.on('error', () => undefined);
  child.send(task, () => undefined);
  const [code, ended] = (await once(child, 'exit')) as [number | null, string | null];
  signal.removeEventListener('abort', kill);
  return readOutcome(outcome, { signal, end: ended ?? `code ${code}` });
}

function readOutcome(
  outcome: ParquetOutcome | null,
  { signal, end }: { signal: AbortSignal; end: string },
): WrittenParquet {
  signal.throwIfAborted();
  if (outcome === null) throw new Error(`the process that writes the files ended with ${end}`);
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.written;
}
