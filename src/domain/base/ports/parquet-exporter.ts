export interface WrittenParquet {
  /** The files that are there now. */
  files: number;
  /** Those that were written anew; the others had not changed. */
  written: number;
  /** Those of months without rows, and of workspaces that are gone. */
  removed: number;
  /** In the files that were written. */
  rows: number;
}

/** Writes the nightly Parquet files of this process. */
export interface ParquetExporter {
  /** Minutes after 00:00Z. */
  atMinutes: number;
  write(signal: AbortSignal): Promise<WrittenParquet>;
  /** True once the process stops, which ends a running export. */
  isStopping(): boolean;
}
