import fc from 'fast-check';
import { expect, it } from 'vitest';
import { drawTrend } from '#domain/insights/digests/draw-trend.ts';

const strokes = (svg: string) => /<path d="([^"]*)" stroke="#4f7df3"/.exec(svg)?.[1] ?? '';
const value = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null, freq: 3 });

it('a line breaks at days without a value and contains every value', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (values) => {
      const svg = drawTrend(values, 'x');
      const runs = values.reduce<number[]>((found, one, day) => {
        if (one === null) return found;
        if (day === 0 || values[day - 1] === null) found.push(0);
        found[found.length - 1]! += 1;
        return found;
      }, []);
      expect((strokes(svg).match(/M/g) ?? []).length).toBe(
        runs.filter((length) => length > 1).length,
      );
      expect((strokes(svg).match(/[ML]/g) ?? []).length).toBe(
        runs.filter((length) => length > 1).reduce((sum, length) => sum + length, 0),
      );
      expect((svg.match(/<circle/g) ?? []).length).toBe(
        runs.filter((length) => length === 1).length + (runs.length > 0 ? 1 : 0),
      );
      for (const number of svg.match(/(?<=[\s"ML])-?\d+(\.\d+)?(?=[\s"L])/g) ?? [])
        expect(Number(number)).toBeGreaterThanOrEqual(0);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }),
  );
});

it('higher values are drawn higher, and words are escaped', () => {
  const [low, high] = [...strokes(drawTrend([1, 9], '"><script>')).matchAll(/ ([\d.]+)/g)].map(
    (match) => Number(match[1]),
  );
  expect(low).toBeGreaterThan(high!);
  expect(drawTrend([1, 9], '"><script>')).toContain('aria-label="&quot;&gt;&lt;script&gt;"');
});
