import { describe, expect, test } from 'vitest';
import { draw, drawPairs, isLong } from '../harness/short-form.ts';

const pages = Array.from({ length: 40 }, (_, index) => `page ${index}`);
const widths = [375, 768, 1_024, 1_280];

describe('a short form', () => {
  test('takes as many items as it should, in their order, and each sometimes', () => {
    const drawn = Array.from({ length: 200 }, (_, index) => draw(`list ${index}`, 10, pages));
    for (const some of drawn) {
      expect(some).toHaveLength(isLong ? pages.length : 10);
      expect(some).toEqual(pages.filter((page) => some.includes(page)));
    }
    expect(new Set(drawn.flat())).toEqual(new Set(pages));
    expect(draw('list 1', 10, pages)).toEqual(drawn[1]);
  });

  test('of pairs has each row and each column at least once', () => {
    const matrices: (string | number)[][][] = [
      [pages, widths],
      [widths, pages],
    ];
    for (const [rows = [], columns = []] of matrices) {
      const pairs = drawPairs('pages at widths', rows, columns);
      expect(new Set(pairs.map(({ row }) => row))).toEqual(new Set(rows));
      expect(new Set(pairs.map(({ column }) => column))).toEqual(new Set(columns));
      expect(pairs).toHaveLength(isLong ? pages.length * widths.length : pages.length);
    }
  });
});
