/** The entry of a thread that reads files of popularity, so that requests do not wait for it. */
import type { PopularityFileTask } from '#domain/base/ports.ts';
import { importPopularityFile } from '#domain/transfer/popularity/import-popularity-file.ts';
import { openSheet } from '#spreadsheets/open-sheet.ts';
import type { ThreadSettings } from './file-thread.ts';
import { withThreadServices } from './with-thread-services.ts';

interface Given {
  settings: ThreadSettings;
  task: PopularityFileTask;
}

export default function readPopularityFile({ settings, task }: Given): Promise<void> {
  // The thread is ended from outside.
  const { signal } = new AbortController();
  return withThreadServices(settings, (services) =>
    importPopularityFile(services, openSheet, task, signal),
  );
}
