/** The entry of a thread that reads histories of other tools, so that requests do not wait. */
import type { HistoryFileTask } from '#domain/base/ports.ts';
import { checkHistoryFile } from '#domain/transfer/history/check-file.ts';
import { textTables } from '#spreadsheets/text-tables.ts';
import { threadEntry } from './thread-entry.ts';

export default threadEntry<HistoryFileTask>((services, task, signal) =>
  checkHistoryFile(services, textTables, task, signal),
);
