import { SheetError, type TextForm } from '#domain/base/ports/spreadsheets.ts';
import { detectEncoding } from '#lib/detect-encoding.ts';
import { splitSeparatorLine } from '#lib/separator-line.ts';

/** The beginnings of files that are no text. */
const binaryMarks = ['PK\x03\x04', 'SQLite format 3\0', '\x1f\x8b', '%PDF', '\xd0\xcf\x11\xe0'];

/** Recognizes encoding and delimiter by the beginning. Throws SheetError for other files. */
export function detectTextForm(head: Buffer): TextForm {
  if (head.length === 0) throw new SheetError('empty', 'The file is empty.');
  const marks = head.subarray(0, 16).toString('latin1');
  if (binaryMarks.some((mark) => marks.startsWith(mark)))
    throw new SheetError(
      'not_a_spreadsheet',
      'The file is no text: it is a workbook, a database or an archive. Save or export it as CSV.',
    );
  const encoding = detectEncoding(head, { isCut: true });
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  return { encoding, delimiter: findDelimiter(text) };
}

const delimiters = [',', ';', '\t'] as const;

/**
 * The one that Excel's line `sep=;` names, or that the first line has most often; null for a line
 * that is a JSON object.
 */
function findDelimiter(head: string): TextForm['delimiter'] {
  const { separator, text } = splitSeparatorLine(head.trimStart());
  const named = delimiters.find((mark) => mark === separator);
  if (named !== undefined) return named;
  const line = text
    .trimStart()
    .slice(0, 1_000_000)
    .split(/[\r\n]/, 1)[0]!;
  if (line.startsWith('{"')) return null;
  const count = (mark: string) => line.split(mark).length - 1;
  return delimiters.toSorted((a, b) => count(b) - count(a))[0]!;
}
