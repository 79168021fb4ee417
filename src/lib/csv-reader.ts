import { CsvError as ParseError, parse } from 'csv-parse/sync';
import { splitSeparatorLine } from './separator-line.ts';

/** The reason why a text is not CSV. `row` counts records from 1. */
export class CsvError extends Error {
  readonly row: number;

  constructor(row: number, rule: string) {
    super(rule);
    this.name = 'CsvError';
    this.row = row;
  }
}

const rules: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'a quote inside a field, which is not quoted',
  CSV_QUOTE_NOT_CLOSED: 'a quoted field that does not end',
  CSV_INVALID_CLOSING_QUOTE: 'text after the end of a quoted field',
};

/**
 * Reads RFC 4180 strictly: each record has as many fields as the first, and quotes enclose whole
 * fields. Line ends are CRLF, LF or CR. Empty lines, a byte order mark and Excel's line `sep=;` are
 * skipped. Throws CsvError.
 */
export function readCsv(text: string, delimiter = ','): string[][] {
  const records = split(text, delimiter).filter((record) => record.length > 1 || record[0] !== '');
  const expected = records[0]?.length;
  const index = records.findIndex((record) => record.length !== expected);
  if (index !== -1)
    throw new CsvError(
      index + 1,
      `${expected} fields as in the first line, not ${records[index]!.length}`,
    );
  return records;
}

function split(text: string, delimiter: string): string[][] {
  try {
    return parse(splitSeparatorLine(text).text, {
      delimiter,
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new CsvError(Number(error.records) + 1, rules[error.code] ?? error.message);
  }
}
