import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from '#lib/csv-reader.ts';
import { readCsv as readFile } from '#web/pages/imports-exports/csv/parse-csv.ts';

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

  it('accepts stray quotes, and refuses a quote that is never closed', () => {
    expect(readFile('a,b\n15" tv,"x"y')?.rows).toEqual([['15" tv', '"x"y']]);
    expect(readFile('a,b\n"1,2\n3,4')).toBeNull();
    expect(readFile('\n \n')).toBeNull();
  });
});
