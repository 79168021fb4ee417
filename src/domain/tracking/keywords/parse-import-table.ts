import { CsvError, readCsv } from '#lib/csv-reader.ts';
import { unguardFormula } from '#lib/csv-writer.ts';
import { invalid } from '#domain/base/errors.ts';

const maxImportRows = 5_000;

/** A text as rows of values by column name. A missing column is null; unnamed ones are left out. */
export interface ImportTable {
  columns: string[];
  rows: Map<string, unknown>[];
}

/**
 * Throws invalid_request for text that is neither RFC 4180 with a header nor a list of flat JSON
 * objects, and above 5,000 rows.
 */
export function parseTable(source: {
  format: 'csv' | 'json';
  text: string;
  delimiter: string;
}): ImportTable {
  const table =
    source.format === 'csv'
      ? parseCsvTable(source.text, source.delimiter)
      : parseJsonTable(source.text);
  if (table.rows.length === 0) throw invalid('text', 'at least one row', 0, 1);
  if (table.rows.length > maxImportRows)
    throw invalid('text', 'rows in an import', table.rows.length, maxImportRows);
  return table;
}

function parseCsvTable(text: string, delimiter: string): ImportTable {
  const [names, ...records] = readRecords(text, delimiter);
  const columns = (names ?? []).map((name) => name.trim().toWellFormed());
  // Spreadsheets write the empty columns after the last one, too.
  const named = [...columns.entries()].filter(([, name]) => name !== '');
  const double = named.find(([index, name]) => columns.indexOf(name) !== index)?.[1];
  if (double !== undefined) throw invalid('text', 'each column once', double.slice(0, 100));
  return {
    columns: named.map(([, name]) => name),
    rows: records.map(
      (record) => new Map(named.map(([index, name]) => [name, readCell(record[index])])),
    ),
  };
}

/** Without the mark that keeps a spreadsheet from reading a text as a formula. */
const readCell = (cell: string | undefined): string | null =>
  cell === undefined ? null : unguardFormula(cell);

function readRecords(text: string, delimiter: string): string[][] {
  try {
    return readCsv(text, delimiter);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid(error.row === 1 ? 'text' : `rows.${error.row - 1}`, error.message);
  }
}

function parseJsonTable(text: string): ImportTable {
  const list = parse(text);
  if (!Array.isArray(list)) throw invalid('text', 'a JSON list of objects');
  const rows = list.map((item: unknown, index) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw invalid(`rows.${index + 1}`, 'an object');
    return new Map<string, unknown>(
      Object.entries(item).map(([name, value]) => [name.toWellFormed(), value]),
    );
  });
  return { columns: [...new Set(rows.flatMap((row) => [...row.keys()]))], rows };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('text', 'well-formed JSON');
  }
}
