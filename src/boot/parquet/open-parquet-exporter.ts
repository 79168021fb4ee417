import { extname, join } from 'node:path';
import { Tinypool } from 'tinypool';
import type { Config } from '#config/env.ts';
import type { ParquetExporter, WrittenParquet } from '#domain/base/ports.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Database } from '../database.ts';
import type { ParquetTask } from './parquet-thread.ts';

export interface OwnParquetExporter extends ParquetExporter {
  /** Ends a running export; its file is not finished. */
  stop(): void;
}

/** Without a limit the garbage of whole row groups stays in memory. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 };

/** Writes in a thread of its own, which ends after each run. Null without PARQUET_AT. */
export function openParquetExporter(
  config: Config,
  { urlOf }: Pick<Database, 'urlOf'>,
): OwnParquetExporter | null {
  const { PARQUET_AT: atMinutes, PARQUET_DIR: folder, DATA_DIR: dataDir, LOG_LEVEL } = config;
  if (atMinutes === null) return null;
  const closing = new AbortController();
  const write = async (signal: AbortSignal): Promise<WrittenParquet> => {
    const pool = new Tinypool({
      filename: new URL(`./parquet-thread${extname(import.meta.url)}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      execArgv: [],
      resourceLimits,
    });
    const task: ParquetTask = {
      appUrl: urlOf('app'),
      systemUrl: urlOf('system'),
      folder: folder ?? join(dataDir, 'exports'),
      product: packageJson.version,
      logLevel: LOG_LEVEL,
    };
    try {
      return (await pool.run(task, {
        signal: AbortSignal.any([signal, closing.signal]),
      })) as WrittenParquet;
    } finally {
      await pool.destroy();
    }
  };
  return {
    atMinutes,
    write,
    isStopping: () => closing.signal.aborted,
    stop: () => closing.abort(new Error('the process is stopping')),
  };
}
