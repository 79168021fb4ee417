import { CsvError, parse } from 'csv-parse';
import {
  SheetError,
  type Sheet,
  type SheetRow,
  type StoredFile,
} from '#domain/base/ports/spreadsheets.ts';
import { isSeparatorLine, splitSeparatorLine } from '#lib/separator-line.ts';
import { sheetLimits } from './limits.ts';

const chunkBytes = 256 * 1024;

/** A CSV file in UTF-8, separated by commas, semicolons or tabs. A byte order mark is skipped. */
export function openCsv(file: StoredFile, head: Buffer): Sheet {
  let readBytes = 0;
  const texts = async function* () {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (let start = 0; start < file.bytes; start += chunkBytes) {
      const end = Math.min(file.bytes, start + chunkBytes);
      yield decode(decoder, await file.read(start, end), end < file.bytes);
      readBytes = end;
    }
  };
  return {
    format: 'csv',
    rows: () => readRows(texts(), findDelimiter(head)),
    share: () => readBytes / file.bytes,
  };
}

function decode(decoder: TextDecoder, bytes: Buffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (error) {
    throw new SheetError('not_utf8', 'The text is not in UTF-8. Save it as CSV UTF-8.', error);
  }
}

const delimiters = [',', ';', '\t'];

/** The separator that Excel's line `sep=;` names, or that the first lines have most often. */
function findDelimiter(head: Buffer): string {
  const { separator, text } = splitSeparatorLine(head.toString());
  if (separator !== null && delimiters.includes(separator)) return separator;
  const count = (mark: string) => text.split(mark).length - 1;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0]!;
}

async function* readRows(
  texts: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<readonly SheetRow[]> {
  let rows: SheetRow[] = [];
  let count = 0;
  let isFirst = true;
  const parser = parse({
    delimiter,
    // The decoder has removed a byte order mark.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: sheetLimits.cellCharacters,
    // Records are taken here: one by one through the stream would take three times as long.
    on_record: (cells: string[], { lines: line }) => {
      if (!isFirst || !isSeparatorLine(cells, delimiter))
        rows.push({ line, cells: cells.slice(0, sheetLimits.columns) });
      isFirst = false;
      return null;
    },
  });
  const failed = new Promise<never>((_, reject) => parser.on('error', reject));
  failed.catch(() => undefined);
  try {
    for await (const text of texts) {
      await Promise.race([failed, written((done) => parser.write(text, done))]);
      count += rows.length;
      if (count > sheetLimits.rows) throw tooManyRows();
      yield rows;
      rows = [];
    }
    await Promise.race([failed, written((done) => parser.end(done).resume())]);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error['lines']);
    throw new SheetError('bad_csv', `Line ${line} is not CSV: ${describe(error)}.`, error);
  } finally {
    parser.destroy();
  }
  if (rows.length > 0) yield rows;
}

const written = (write: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => write((error) => (error ? reject(error) : resolve())));

const rules: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'it has a quote inside a field that is not quoted',
  CSV_QUOTE_NOT_CLOSED: 'a quoted field does not end',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after the end of a quoted field',
  CSV_MAX_RECORD_SIZE: 'it is too long',
};

function describe(error: CsvError): string {
  return rules[error.code] ?? 'it cannot be read';
}

export function tooManyRows(): SheetError {
  return new SheetError(
    'too_many_rows',
    `The sheet has more than ${sheetLimits.rows} rows. Split the file.`,
  );
}
