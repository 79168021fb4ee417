import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '#lib/csv-reader.ts';
import { guardFormula, unguardFormula, writeCsv } from '#lib/csv-writer.ts';

const field = fc.string({
  maxLength: 10,
  unit: fc.constantFrom(
    'a',
    '"',
    "'",
    ',',
    '\n',
    '\r',
    '=',
    '+',
    '-',
    '@',
    '\t',
    '＝',
    '写',
    '😀',
    ' ',
    '0',
  ),
});

describe('writing CSV', () => {
  it('round-trips any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constant('x'), field, field), { minLength: 1, maxLength: 6 }),
        (records) => {
          const read = readCsv(writeCsv(records));
          expect(read.map((record) => record.map(unguardFormula))).toEqual(records);
        },
      ),
    );
  });

  it('escapes texts that begin like a formula, full-width and quoted too', () => {
    for (const sign of ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']) {
      for (const text of [`${sign}1`, `"${sign}1"`, `'${sign}1`]) {
        const [[, cell] = []] = readCsv(writeCsv([['x', text]]));
        expect(cell).toBe(`'${text}`);
        expect(unguardFormula(cell!)).toBe(text);
      }
    }
    expect(guardFormula('plain = text')).toBe('plain = text');
  });

  it('keeps numbers exact digit for digit, and writes null as empty', () => {
    expect(writeCsv([[-3, 0, 2n ** 63n - 1n, -0.5, true, null, '']])).toBe(
      '-3,0,9223372036854775807,-0.5,true,,\r\n',
    );
    expect(writeCsv([])).toBe('');
  });
});
