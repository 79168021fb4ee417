/** The entry of a thread that reads files of popularity, so that requests do not wait for it. */
import type { PopularityFileTask } from '#domain/base/ports.ts';
import { importPopularityFile } from '#domain/transfer/popularity/import-popularity-file.ts';
import { openSheet } from '#spreadsheets/open-sheet.ts';
import { threadEntry } from './thread-entry.ts';

export default threadEntry<PopularityFileTask>((services, task, signal) =>
  importPopularityFile(services, openSheet, task, signal),
);
