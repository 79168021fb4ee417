import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import {
  applyDifference,
  applyIds,
  findSmallerDifference,
  writeDifference,
} from '#db/queries/serp-chains/serp-difference.ts';

const app = fc.record({
  rating: fc.option(fc.integer({ min: 0, max: 500 }).map((rating) => rating / 100)),
  ratingCount: fc.option(fc.integer({ min: 0, max: 0xffff_fffe })),
});
/** Few ids, so that two lists have many of them in common, also in the same order or twice. */
const id = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 0xffff_ffff }) },
);
const lists = fc
  .record({ ids: fc.array(id, { maxLength: 200 }), apps: fc.array(app, { maxLength: 10 }) })
  .map(({ ids, apps }) => ({
    ids: packIds(ids),
    strengths: packStrengths(apps.slice(0, ids.length)),
  }));

describe('results as a difference', () => {
  it('are read back exactly from their base, whatever both are', () => {
    fc.assert(
      fc.property(lists, lists, (base, next) => {
        const difference = writeDifference(base, next);
        expect(applyDifference(base, difference)).toEqual(next);
        expect(applyIds(base.ids, difference.ids)).toEqual(next.ids);
        const smaller = findSmallerDifference(base, next);
        const bytesOf = (one: typeof next) => one.ids.length + one.strengths.length;
        if (smaller) expect(smaller).toEqual(difference);
        const { ids } = writeDifference(base, base);
        expect(applyIds(base.ids, ids)).toEqual(base.ids);
        expect(smaller !== null).toBe(bytesOf(difference) < bytesOf(next));
      }),
      { numRuns: 500 },
    );
  });

  it('are read back exactly over a chain of days', () => {
    const days = fc.array(fc.tuple(fc.nat(49), fc.nat(49), app), { maxLength: 15 });
    fc.assert(
      fc.property(days, fc.array(app, { minLength: 10, maxLength: 10 }), (moves, apps) => {
        const ids = Array.from({ length: 50 }, (_, index) => 1_000 + index);
        let stored = { ids: packIds(ids), strengths: packStrengths(apps) };
        for (const [from, to, changed] of moves) {
          ids.splice(to, 0, ...ids.splice(from, 1));
          apps[from % 10] = changed;
          const next = { ids: packIds(ids), strengths: packStrengths(apps) };
          const difference = findSmallerDifference(stored, next);
          stored = difference === null ? next : applyDifference(stored, difference);
          expect(stored).toEqual(next);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('of usual days take a quarter of the bytes', () => {
    const ids = Array.from({ length: 50 }, (_, index) => 1_000 + index);
    const apps = ids.slice(0, 10).map((_, index) => ({ rating: 4.5, ratingCount: index * 9_999 }));
    const base = { ids: packIds(ids), strengths: packStrengths(apps) };
    [ids[12], ids[13]] = [ids[13]!, ids[12]!];
    ids.splice(30, 0, 77_777);
    const next = {
      ids: packIds(ids.slice(0, 50)),
      strengths: packStrengths(apps.map((one) => ({ ...one, ratingCount: one.ratingCount + 41 }))),
    };
    const difference = writeDifference(base, next);
    expect(difference.ids.length + difference.strengths.length).toBeLessThan(65);
  });

  it('are refused for another base, instead of being read wrongly or without an end', () => {
    const base = { ids: packIds([1, 2, 3, 4, 5]), strengths: packStrengths([]) };
    const next = { ids: packIds([2, 3, 4, 5, 1]), strengths: packStrengths([]) };
    const difference = writeDifference(base, next);
    expect(() =>
      applyDifference({ ids: packIds([1, 2]), strengths: packStrengths([]) }, difference),
    ).toThrow(RangeError);
  });
});
