import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowMeter } from '#backups/row-meter.ts';

const measure = (chunks: readonly string[]) => {
  const meter = new RowMeter();
  for (const chunk of chunks) meter.add(Buffer.from(chunk));
  return meter.finish();
};
const row = fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.replaceAll('\n', ' '));

test('equal rows have the same hash in any order and in any chunks, other rows another one', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.nat(), (rows, at) => {
      const text = rows.map((one) => `${one}\n`).join('');
      const expected = measure([text]);
      const cut = at % text.length;
      expect(measure([text.slice(0, cut), text.slice(cut)]).rows).toBe(rows.length);
      expect(measure(rows.toReversed().map((one) => `${one}\n`))).toEqual(expected);
      expect(measure([...text].map((character) => character))).toEqual(expected);
      expect(measure([`${text}x\n`]).sha256).not.toBe(expected.sha256);
      expect(measure([text, text]).sha256).not.toBe(expected.sha256);
      expect(measure([text.slice(0, -1)]).sha256).not.toBe(expected.sha256);
    }),
  );
});
