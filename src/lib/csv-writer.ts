export type CsvValue = string | number | bigint | boolean | null | undefined;

/**
 * Characters that a spreadsheet reads as the start of a formula, in both widths, also behind
 * quotes. Applied to text only: a change of -3 stays a number.
 */
const formula = /^["']*[=+\-@\t\r\n＝＋－＠]/;

const special = /[",\r\n]/;

/**
 * Writes RFC 4180 records that end with CRLF. Null and undefined become empty fields; text that
 * looks like a formula is prefixed with `'`.
 */
export function writeCsv(records: readonly (readonly CsvValue[])[]): string {
  return records.map((record) => `${record.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(cell: CsvValue): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  return quoteField(guardFormula(cell));
}

/** A CSV field, quoted if necessary. */
function quoteField(text: string): string {
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Adds exactly one `'`, so that `unguardFormula` restores the text. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

export function unguardFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
