import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { detectEncoding } from '#lib/detect-encoding.ts';
import { splitSeparatorLine } from '#lib/separator-line.ts';

export interface CsvTable {
  columns: string[];
  /** Every row has as many values as `columns`; missing values at the end of a line are empty. */
  rows: string[][];
  delimiter: Delimiter;
}

export type Delimiter = ',' | ';' | '\t';
const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/** Spreadsheets also write UTF-16, Windows-1252 and Shift-JIS. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new TextDecoder(detectEncoding(bytes, { isCut: false })).decode(bytes);
}

/**
 * Parses RFC 4180 with a header row. The delimiter is the one that Excel's line `sep=;` names, or
 * that occurs most often in the header. Null without a header or with an unclosed quoted field.
 */
export function readCsv(whole: string): CsvTable | null {
  const { separator, text } = splitSeparatorLine(whole);
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter =
    delimiters.find((mark) => mark === separator) ??
    delimiters.toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!;
  const [names, ...lines] = (splitCsv(text, delimiter) ?? []).filter((line) =>
    line.some((field) => field.trim() !== ''),
  );
  if (!names) return null;
  const columns = nameColumns(names);
  return {
    columns,
    rows: lines.map((line) => columns.map((_, index) => line[index] ?? '')),
    delimiter,
  };
}

/** Makes duplicate and empty column names unique, so that each column can be selected. */
function nameColumns(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((raw, index) => {
    const name = raw.trim() || `#${index + 1}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

/** Null if a quoted field is not closed. Other stray quotes are kept. */
function splitCsv(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}
