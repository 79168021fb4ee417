export interface PopularityFileTask {
  importId: number;
  workspaceId: number;
  jobId: number;
}

/** Reads files of published popularity beside the event loop. */
export interface PopularityFiles {
  /**
   * Imports an uploaded file, or records why it was refused. Throws when neither could be done, and
   * the signal's reason when it was aborted.
   */
  importFile(task: PopularityFileTask, signal: AbortSignal): Promise<void>;
}
