import { readCsv, readText, type CsvTable } from './parse-csv.ts';

export const maxCsvBytes = 20_000_000;

export interface OpenedCsv {
  name: string;
  /** Mounted anew when the same file is chosen again after editing. */
  version: string;
  table: CsvTable;
}

export type CsvFileError = 'tooLarge' | 'unreadable' | 'gone';

/** Reads the file in the browser, so that its errors are known before anything is sent. */
export async function openCsv(file: File): Promise<OpenedCsv | CsvFileError> {
  if (file.size > maxCsvBytes) return 'tooLarge';
  // A folder was dropped, or the file was moved or changed since it was chosen.
  const text = await readText(file).catch(() => null);
  if (text === null) return 'gone';
  const table = readCsv(text);
  return table && table.rows.length > 0
    ? { name: file.name, version: `${file.lastModified} ${file.size}`, table }
    : 'unreadable';
}
