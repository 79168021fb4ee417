import type { Config } from '#config/env.ts';
import type {
  Clock,
  HistoryFiles,
  HistoryFileTask,
  PopularityFiles,
  PopularityFileTask,
} from '#domain/base/ports.ts';
import { textTables } from '#spreadsheets/text-tables.ts';
import type { Database } from '../database.ts';
import { openFileThread } from './file-thread.ts';

export interface FileReaders {
  popularityFiles: PopularityFiles;
  historyFiles: HistoryFiles;
  /** Ends what is being read. */
  stop(): void;
}

/** Each kind of file is read in a thread of its own, so that one need not wait for the other. */
export function openFileReaders(
  config: Pick<Config, 'LOG_LEVEL'>,
  database: Pick<Database, 'urlOf'>,
  clock: Clock,
): FileReaders {
  const popularity = openFileThread<PopularityFileTask>(
    'popularity-thread',
    config,
    database,
    clock,
  );
  const history = openFileThread<HistoryFileTask>('history-thread', config, database, clock);
  return {
    popularityFiles: { importFile: popularity.run },
    historyFiles: { tables: textTables, checkFile: history.run },
    stop: () => {
      popularity.stop();
      history.stop();
    },
  };
}
