import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { KeptSerp } from '#db/queries/serp-chains/kept-serps.ts';
import { packSerpMonth, unpackSerpMonth } from '#db/queries/serp-chains/serp-month.ts';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';

const of = { marketId: 7, month: '2026-12-01', provider: 'web' };
const smallint = fc.integer({ min: 0, max: 32_767 });
const app = fc.record({
  rating: fc.option(fc.integer({ min: 0, max: 500 }).map((rating) => rating / 100)),
  ratingCount: fc.option(fc.integer({ min: 0, max: 0xffff_fffe })),
});
/** Few ids, so that the lists of two days have many of them in common. */
const id = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 0xffff_ffff }) },
);
const result = fc.record({
  day: fc.integer({ min: 1, max: 31 }),
  depth: smallint,
  resultCount: smallint,
  ended: fc.constantFrom('depth' as const, 'exhausted' as const, 'truncated' as const),
  language: fc.option(fc.oneof(fc.constantFrom('en', ''), fc.string())),
  ads: fc.option(fc.array(smallint, { maxLength: 5 })),
  ids: fc.array(id, { maxLength: 200 }),
  apps: fc.array(app, { maxLength: 10 }),
});
const month = fc
  .uniqueArray(result, { selector: ({ day }) => day, minLength: 1, maxLength: 31 })
  .map((days) =>
    days
      .toSorted((a, b) => a.day - b.day)
      .map(({ day, ids, apps, ...facts }): KeptSerp => ({
        ...facts,
        marketId: of.marketId,
        provider: of.provider,
        date: `2026-12-${String(day).padStart(2, '0')}`,
        ids: packIds(ids),
        strengths: packStrengths(apps.slice(0, ids.length)),
      })),
  );

it('packed results of a month are read back exactly, whatever they are', () => {
  fc.assert(
    fc.property(month, (serps) => {
      expect(unpackSerpMonth(of, packSerpMonth(serps))).toEqual(serps);
    }),
    { numRuns: 200 },
  );
});

it('a usual month takes a fraction of its lists', () => {
  const ids = Array.from({ length: 50 }, (_, at) => 100_000 + at * 37);
  const serps = Array.from({ length: 30 }, (_, at): KeptSerp => {
    ids.splice((at * 7) % 50, 0, ...ids.splice((at * 11) % 50, 1));
    return {
      marketId: of.marketId,
      provider: of.provider,
      date: `2026-12-${String(at + 1).padStart(2, '0')}`,
      depth: 200,
      resultCount: 200,
      ended: 'depth',
      language: 'en',
      ads: null,
      ids: packIds(ids),
      strengths: packStrengths(ids.map((count) => ({ rating: 4.5, ratingCount: count + at * 3 }))),
    };
  });
  expect(packSerpMonth(serps).length / serps.length).toBeLessThan(40);
});

it('bytes of another version, or cut off, are refused', () => {
  const packed = packSerpMonth(fc.sample(month, { numRuns: 1, seed: 5 })[0]!);
  expect(() => unpackSerpMonth(of, Buffer.concat([Buffer.of(2), packed.subarray(1)]))).toThrow(
    'unknown version 2',
  );
  expect(() => unpackSerpMonth(of, packed.subarray(0, -4))).toThrow();
});
