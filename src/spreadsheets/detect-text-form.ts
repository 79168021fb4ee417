import { SheetError, type TextEncoding, type TextForm } from '#domain/base/ports/spreadsheets.ts';

/** The beginnings of files that are no text. */
const binaryMarks = ['PK\x03\x04', 'SQLite format 3\0', '\x1f\x8b', '%PDF', '\xd0\xcf\x11\xe0'];
const byteOrderMarks: readonly [string, TextEncoding][] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
];
const kana = /[\u3040-\u30ff]/;

/**
 * Recognizes encoding and delimiter. A byte order mark decides; without one the text is UTF-8 if it
 * can be, Shift-JIS if it then has kana, and else Windows-1252. Throws SheetError for other files.
 */
export function detectTextForm(head: Buffer): TextForm {
  if (head.length === 0) throw new SheetError('empty', 'The file is empty.');
  const marks = head.subarray(0, 16).toString('latin1');
  if (binaryMarks.some((mark) => marks.startsWith(mark)))
    throw new SheetError(
      'not_a_spreadsheet',
      'The file is no text: it is a workbook, a database or an archive. Save or export it as CSV.',
    );
  const encoding =
    byteOrderMarks.find(([mark]) => marks.startsWith(mark))?.[1] ?? detectEncoding(head);
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  return { encoding, delimiter: findDelimiter(text) };
}

function detectEncoding(head: Buffer): TextEncoding {
  const zeros = [0, 0];
  for (const [index, byte] of head.subarray(0, 4_096).entries())
    if (byte === 0) zeros[index % 2]! += 1;
  // Latin characters in UTF-16 have a zero in every second byte.
  if (zeros[1]! > head.length / 8 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > head.length / 8 && zeros[1] === 0) return 'utf-16be';
  if (decodesAs('utf-8', head) !== null) return 'utf-8';
  return kana.test(decodesAs('shift_jis', head) ?? '') ? 'shift_jis' : 'windows-1252';
}

function decodesAs(encoding: TextEncoding, head: Buffer): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

/** The one that the first line has most often; null for a line that is a JSON object. */
function findDelimiter(text: string): TextForm['delimiter'] {
  const line = text
    .trimStart()
    .slice(0, 1_000_000)
    .split(/[\r\n]/, 1)[0]!;
  if (line.startsWith('{"')) return null;
  const count = (mark: string) => line.split(mark).length - 1;
  return ([',', ';', '\t'] as const).toSorted((a, b) => count(b) - count(a))[0]!;
}
