import type { TextTables } from './spreadsheets.ts';

export interface HistoryFileTask {
  importId: number;
  workspaceId: number;
  jobId: number;
}

/** Reads files with histories of other tools beside the event loop. */
export interface HistoryFiles {
  /** For the first lines of a file; the whole one is read by `checkFile`. */
  tables: TextTables;
  /**
   * Checks an uploaded file, or records why it was refused. Throws when neither could be done, and
   * the signal's reason when it was aborted.
   */
  checkFile(task: HistoryFileTask, signal: AbortSignal): Promise<void>;
}
