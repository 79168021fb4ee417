import { stringify } from 'csv-stringify/sync';

export type CsvCell = string | number | bigint | boolean | null;

/**
 * What a spreadsheet would take for a formula: the signs it begins with, in both widths, also behind quotes. Of the text,
 * not of numbers: a change of -3 stays a number.
 */
const formula = /^["']*[=+\-@\t\r\n＝＋－＠]/;

const plain = /^[^",\r\n]*$/;

/** Records of RFC 4180, each ended by CRLF. Null is an empty field; text that looks like a formula gets a `'` before it. */
export function writeCsv(records: readonly (readonly CsvCell[])[]): string {
  return records.map((record) => writeRecord(record.map(writeCell))).join('');
}

/** Most records need no quotes, and an export has a million of them: what is plain is joined, the rest is the library's. */
function writeRecord(cells: string[]): string {
  if (cells.every((cell) => plain.test(cell))) return `${cells.join(',')}\r\n`;
  return stringify([cells], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

function writeCell(cell: CsvCell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? guardFormula(cell) : String(cell);
}

/** One `'` and no more: `unguardFormula` gives the very text back. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
