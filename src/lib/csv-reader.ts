/** Why a text is no CSV; `row` counts records from 1. */
export class CsvFault extends Error {
  readonly row: number;

  constructor(row: number, rule: string) {
    super(rule);
    this.name = 'CsvFault';
    this.row = row;
  }
}

/**
 * Reads RFC 4180, strictly: each record has as many fields as the first, and quotes enclose whole fields. Line ends are
 * CRLF, LF or CR; empty lines and a byte order mark are passed over. Throws CsvFault.
 */
export function readCsv(text: string, delimiter = ','): string[][] {
  const source = text.startsWith('\u{feff}') ? text.slice(1) : text;
  const records: string[][] = [];
  let at = 0;
  while (at < source.length) {
    const record: string[] = [];
    const row = records.length + 1;
    do {
      const field = readField(source, record.length === 0 ? at : at + 1, delimiter, row);
      record.push(field.value);
      at = field.end;
    } while (source[at] === delimiter);
    at += source.startsWith('\r\n', at) ? 2 : 1;
    if (record.length === 1 && record[0] === '') continue;
    const expected = records[0]?.length ?? record.length;
    if (record.length !== expected)
      throw new CsvFault(row, `${expected} fields as in the first line, not ${record.length}`);
    records.push(record);
  }
  return records;
}

/** `end` is where the delimiter, the line end or the end of the text stands. */
function readField(
  source: string,
  start: number,
  delimiter: string,
  row: number,
): { value: string; end: number } {
  return source[start] === '"'
    ? readQuoted(source, start + 1, delimiter, row)
    : readPlain(source, start, delimiter, row);
}

function readPlain(
  source: string,
  start: number,
  delimiter: string,
  row: number,
): { value: string; end: number } {
  let end = start;
  while (end < source.length && !isEnd(source[end]!, delimiter)) {
    if (source[end] === '"') throw new CsvFault(row, 'a quote inside a field, which is not quoted');
    end += 1;
  }
  return { value: source.slice(start, end), end };
}

function readQuoted(
  source: string,
  start: number,
  delimiter: string,
  row: number,
): { value: string; end: number } {
  const parts: string[] = [];
  for (let from = start; ;) {
    const quote = source.indexOf('"', from);
    if (quote === -1) throw new CsvFault(row, 'a quoted field that does not end');
    parts.push(source.slice(from, quote));
    const next = source[quote + 1];
    if (next !== '"') {
      if (next !== undefined && !isEnd(next, delimiter))
        throw new CsvFault(row, 'text after the end of a quoted field');
      return { value: parts.join('"'), end: quote + 1 };
    }
    from = quote + 2;
  }
}

function isEnd(sign: string, delimiter: string): boolean {
  return sign === delimiter || sign === '\n' || sign === '\r';
}
