import type { UtcDay } from '#lib/dates.ts';

/** One row for each keyword and day, as `reader.positions`. */
export interface PositionRow {
  date: UtcDay;
  appId: number;
  store: string;
  storeAppId: string;
  keywordId: number;
  keyword: string;
  country: string;
  device: string;
  state: 'ranked' | 'not_found' | 'not_checked';
  position: number | null;
  depth: number | null;
  reason: string | null;
  /** ISO 8601 in UTC. */
  checkedAt: string | null;
  provider: string | null;
  fallbackProvider: string | null;
  fallbackPosition: number | null;
  fallbackDepth: number | null;
}

/** The file of a month of a workspace. */
export interface PositionFile {
  workspaceId: number;
  /** `YYYY-MM`. */
  month: string;
  /** Changes with the facts that the file shows. */
  fingerprint: string;
}

/** The folder of the files; `src/parquet/` implements it. */
export interface PositionFiles {
  /** The complete files. What a killed run left is removed. */
  list(): Promise<PositionFile[]>;
  /**
   * Writes a file under another name and renames it, so that the last good one stays until then.
   * Returns the number of rows; without any, no file is written.
   */
  write(file: PositionFile, rows: AsyncIterable<readonly PositionRow[]>): Promise<number>;
  remove(file: Pick<PositionFile, 'workspaceId' | 'month'>): Promise<void>;
}
