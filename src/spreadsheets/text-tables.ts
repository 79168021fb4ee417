import { CsvError, parse } from 'csv-parse';
import {
  SheetError,
  type SheetRow,
  type StoredFile,
  type TextEncoding,
  type TextForm,
  type TextTable,
  type TextTables,
} from '#domain/base/ports/spreadsheets.ts';
import { isSeparatorLine } from '#lib/separator-line.ts';
import { detectTextForm } from './detect-text-form.ts';
import { textLimits } from './text-limits.ts';

/**
 * Text tables as other tools write them: in several encodings, with stray quotes, with lines that
 * are too short or too long. Only one batch of rows is in memory.
 */
export const textTables: TextTables = {
  detect: detectTextForm,
  open: (file, form) => openTextTable(file, form),
};

function openTextTable(file: StoredFile, form: TextForm): TextTable {
  let readBytes = 0;
  const texts = async function* () {
    const decoder = new TextDecoder(form.encoding, { fatal: true });
    for (let start = 0; start < file.bytes; start += textLimits.chunkBytes) {
      const end = Math.min(file.bytes, start + textLimits.chunkBytes);
      yield decode(decoder, form.encoding, await file.read(start, end), end < file.bytes);
      readBytes = end;
    }
  };
  return {
    rows: () =>
      form.delimiter === null ? readLines(texts()) : readRecords(texts(), form.delimiter),
    share: () => (file.bytes === 0 ? 1 : readBytes / file.bytes),
  };
}

function decode(
  decoder: TextDecoder,
  encoding: TextEncoding,
  bytes: Buffer,
  stream: boolean,
): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch (error) {
    const message = `The text is not in the encoding ${encoding}. Choose another one.`;
    throw new SheetError('not_utf8', message, error);
  }
}

async function* readRecords(
  texts: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<readonly SheetRow[]> {
  let rows: SheetRow[] = [];
  let tooWide: number | null = null;
  let isFirst = true;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: textLimits.lineCharacters,
    // Records are taken here: one by one through the stream would take three times as long.
    on_record: (cells: string[], { lines: line }) => {
      if (cells.length > textLimits.columns) tooWide ??= line;
      if (!isFirst || !isSeparatorLine(cells, delimiter)) rows.push({ line, cells });
      isFirst = false;
      return null;
    },
  });
  const failed = new Promise<never>((_, reject) => parser.on('error', reject));
  failed.catch(() => undefined);
  try {
    for await (const text of texts) {
      await Promise.race([failed, written((done) => parser.write(text, done))]);
      if (tooWide !== null) throw tooManyColumns(tooWide);
      yield rows;
      rows = [];
    }
    await Promise.race([failed, written((done) => parser.end(done).resume())]);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error['lines']);
    throw new SheetError('bad_csv', `Line ${line} cannot be read: ${describe(error)}.`, error);
  } finally {
    parser.destroy();
  }
  if (tooWide !== null) throw tooManyColumns(tooWide);
  if (rows.length > 0) yield rows;
}

const written = (write: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => write((error) => (error ? reject(error) : resolve())));

const rules: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted field does not end',
  CSV_MAX_RECORD_SIZE: `it has more than ${textLimits.lineCharacters} characters`,
};

function describe(error: CsvError): string {
  return rules[error.code] ?? 'it is no CSV';
}

function tooManyColumns(line: number): SheetError {
  return new SheetError(
    'bad_csv',
    `Line ${line} has more than ${textLimits.columns} columns. Split the table.`,
  );
}

async function* readLines(texts: AsyncIterable<string>): AsyncGenerator<readonly SheetRow[]> {
  let unread = '';
  let line = 0;
  for await (const text of texts) {
    const lines = (unread + text).split('\n');
    unread = lines.pop()!;
    if (unread.length > textLimits.lineCharacters || lines.some(isTooLong))
      throw new SheetError(
        'bad_csv',
        `Line ${line + 1} or one after it has more than ${textLimits.lineCharacters} characters.`,
      );
    yield lines.flatMap((content) => {
      line += 1;
      return content.trim() === '' ? [] : [{ line, cells: [content] }];
    });
  }
  if (unread.trim() !== '') yield [{ line: line + 1, cells: [unread] }];
}

const isTooLong = (line: string) => line.length > textLimits.lineCharacters;
