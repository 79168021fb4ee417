/** The entry of a thread that reads histories of other tools, so that requests do not wait. */
import type { HistoryFileTask } from '#domain/base/ports.ts';
import { checkHistoryFile } from '#domain/transfer/history/check-file.ts';
import { textTables } from '#spreadsheets/text-tables.ts';
import type { ThreadSettings } from './file-thread.ts';
import { withThreadServices } from './with-thread-services.ts';

interface Given {
  settings: ThreadSettings;
  task: HistoryFileTask;
}

export default function readHistoryFile({ settings, task }: Given): Promise<void> {
  // The thread is ended from outside.
  const { signal } = new AbortController();
  return withThreadServices(settings, (services) =>
    checkHistoryFile(services, textTables, task, signal),
  );
}
