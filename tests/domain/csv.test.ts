import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from '#lib/csv-reader.ts';
import { writeCsv } from '#lib/csv-writer.ts';
import { detectEncoding } from '#lib/detect-encoding.ts';
import { guessMapping } from '#web/pages/imports-exports/csv/mapping.ts';
import { readCsv as readFile, readText } from '#web/pages/imports-exports/csv/parse-csv.ts';
import { planRows } from '#web/pages/imports-exports/csv/plan-rows.ts';

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`;
const errorOf = (text: string) => {
  try {
    readCsv(text);
  } catch (error) {
    return error as CsvError;
  }
  throw new Error('was not refused');
};

describe('reading CSV', () => {
  it('round-trips any text with any delimiter and line end', () => {
    const field = fc.string({
      maxLength: 8,
      unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'é', '写', '😀', '\t'),
    });
    const tables = fc.integer({ min: 1, max: 5 }).chain((width) =>
      fc.array(fc.array(field, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 8,
      }),
    );
    fc.assert(
      fc.property(
        tables,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        (table, delimiter, end, isTerminated) => {
          const isEmpty = (record: string[]) => record.length === 1 && record[0] === '';
          const text =
            table.map((record) => record.map(quote).join(delimiter)).join(end) +
            (isTerminated ? end : '');
          expect(readCsv(text, delimiter)).toEqual(table.filter((record) => !isEmpty(record)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('reads plain fields, empty fields and empty files', () => {
    expect(readCsv('a,b\r\n1,\r\n,2')).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ]);
    expect(readCsv('\u{feff}a;b\n\n"1;2";3\n', ';')).toEqual([
      ['a', 'b'],
      ['1;2', '3'],
    ]);
    expect(readCsv('')).toEqual([]);
    expect(readCsv('a,')).toEqual([['a', '']]);
  });

  it.each([
    ['sep=,\na,b', ',', ['a', 'b']],
    ['\u{feff}SEP=;\r\na;b', ';', ['a', 'b']],
    ['"sep=;"\ra;b', ';', ['a', 'b']],
    ['sep=;\na,b', ',', ['a', 'b']],
    ['sep=ab,c\n1,2', ',', ['sep=ab', 'c']],
  ])('skips the line in which Excel names the separator: %j', (text, delimiter, header) => {
    expect(readCsv(text, delimiter)[0]).toEqual(header);
  });

  it.each([
    ['a quote inside a field', 'a,b\nx"y,2', 2, /not quoted/],
    ['a quoted field that is not closed', 'a\n"b', 2, /does not end/],
    ['text after a quoted field', 'a\nb\n"c"d', 3, /after the end/],
    ['a missing field', 'a,b\n1', 2, /2 fields as in the first line, not 1/],
    ['an extra field', 'a,b\n1,2,3', 2, /not 3/],
  ])('refuses %s, with its row', (_name, text, row, rule) => {
    expect(errorOf(text)).toMatchObject({ row, message: expect.stringMatching(rule) });
  });

  it('never hangs or throws another error, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'x'), maxLength: 60 }),
        (text) => {
          try {
            readCsv(text);
          } catch (error) {
            expect(error).toBeInstanceOf(CsvError);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the dashboard reading another tool’s file', () => {
  it('detects the delimiter, makes column names unique and fills short lines', () => {
    expect(readFile('\u{feff}Keyword;Rank;;Rank\r\n"a;b";1\r\r\n;;\nc;2;3;4;5')).toEqual({
      columns: ['Keyword', 'Rank', '#3', 'Rank (2)'],
      rows: [
        ['a;b', '1', '', ''],
        ['c', '2', '3', '4'],
      ],
      delimiter: ';',
    });
  });

  it('uses the separator that the first line names, and skips this line', () => {
    expect(readFile('\u{feff}sep=;\r\nKeyword;a, b, c\r\nx;1')).toEqual({
      columns: ['Keyword', 'a, b, c'],
      rows: [['x', '1']],
      delimiter: ';',
    });
    expect(readFile('sep=|\na,b\n1,2')).toMatchObject({ columns: ['a', 'b'], delimiter: ',' });
  });

  it('accepts stray quotes, and refuses a quote that is never closed', () => {
    expect(readFile('a,b\n15" tv,"x"y')?.rows).toEqual([['15" tv', '"x"y']]);
    expect(readFile('a,b\n"1,2\n3,4')).toBeNull();
    expect(readFile('\n \n')).toBeNull();
  });

  const plan = (text: string) => {
    const table = readFile(text)!;
    const mapping = guessMapping(table, { primaryCountry: 'us', store: 'ios' });
    return planRows(table, mapping, 'keywords', { store: 'ios', today: '2026-11-27' });
  };

  it('skips rows with tags and phrases that the API refuses', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`).join(';');
    const rows = [
      ['tags in number', tags(20)],
      ['tags in excess', tags(21)],
      ['one tag many times', 'a;a|a '.repeat(10)],
      ['tag in length', '😀'.repeat(40)],
      ['tag in excess', '😀'.repeat(41)],
      ['tag with nul', 'a\0'],
      ['bell\u0007', ''],
      ['\u200b', ''],
      ['caf\ufffd', ''],
    ];
    expect(plan(writeCsv([['Keyword', 'Labels'], ...rows])).map(({ fault }) => fault)).toEqual([
      null,
      'tags',
      null,
      null,
      'tags',
      'tags',
      'phrase',
      'phrase',
      'phrase',
    ]);
  });

  it('reads phrases and tags of an export that look like formulas', () => {
    const texts = ['+1 game', '@home', "'=x", 'a-b'];
    const rows = plan(writeCsv([['Keyword', 'Tags'], ...texts.map((text) => [text, text])]));
    expect(rows.map(({ phrase }) => phrase)).toEqual(texts);
    expect(rows.map(({ tags }) => tags)).toEqual(texts);
  });
});

describe('the encoding of a text', () => {
  const text = 'Keyword,Country\ncafé,fr\n';
  const utf16 = Buffer.from(text, 'utf16le');
  const long = Buffer.from(text.repeat(2_000), 'utf16le');
  it.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from(text), text],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), text],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), text],
    ['UTF-16', utf16, text],
    ['UTF-16 the other way round', Buffer.from(utf16).swap16(), text],
    ['100 KB of UTF-16', long, text.repeat(2_000)],
    ['Windows-1252', Buffer.from('café €', 'latin1'), 'café ¬'],
    ['Windows-1252 in its last character', Buffer.from('café', 'latin1'), 'café'],
    ['Shift-JIS', Buffer.from('83658358836781690a', 'hex'), 'テスト（\n'],
  ])('of %s is recognized', async (_name, bytes, expected) => {
    expect(await readText(new Blob([new Uint8Array(bytes)]))).toBe(expected);
  });

  it('is UTF-8 where the beginning of a text ends inside a character', () => {
    const head = Buffer.from('café').subarray(0, -1);
    expect(detectEncoding(head, { isCut: true })).toBe('utf-8');
    expect(detectEncoding(head, { isCut: false })).toBe('windows-1252');
  });
});
