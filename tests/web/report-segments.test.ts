import { describe, expect, test } from 'vitest';
import { kindOf, positionOf } from '#web/pages/distribution/comparison.ts';
import { markProviders } from '#web/components/provider-marks.ts';
import { compareVisibility } from '#web/pages/report/visibility-segments.ts';
import type { VisibilityDay } from '#web/queries/visibility.ts';

const visibility = [20, null, 12, 14].map((index, at): VisibilityDay => ({
  date: `2026-11-0${at + 1}`,
  index,
  coverage: 1,
  added: 0,
  followed: 10,
  checked: 10,
  ranked: 5,
}));
const itunes = { from: '2026-11-01', provider: 'itunes' };
const web = { from: '2026-11-02', provider: 'web' };

describe('the visibility of a report', () => {
  test('is compared with the first day that has one', () => {
    const since = (days: VisibilityDay[]) =>
      compareVisibility({ visibility: days, segments: [itunes] });
    expect(since(visibility)).toEqual({ change: -6, since: '2026-11-01', digits: 1 });
    expect(since(visibility.slice(1))).toEqual({ change: 2, since: '2026-11-03', digits: 1 });
    expect([since(visibility.slice(3)), since(visibility.slice(0, 2)), since([])]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is compared between almost completely checked days alone', () => {
    const since = (...coverages: number[]) =>
      compareVisibility({
        visibility: visibility.map((day, at) => ({ ...day, coverage: coverages.at(at)! })),
        segments: [itunes],
      });
    expect(since(0.95, 1, 1, 0.95)).toEqual({ change: -6, since: '2026-11-01', digits: 1 });
    expect(since(0.12, 1, 1, 1)).toEqual({ change: 2, since: '2026-11-03', digits: 1 });
    expect(since(0.12, 1, 0.9, 1)).toBeNull();
    expect(since(1, 1, 1, 0.4)).toBeNull();
  });

  test('is not compared with days of another search provider, whose end is marked', () => {
    const segments = [itunes, web];
    expect(compareVisibility({ visibility, segments })).toEqual({
      change: 2,
      since: '2026-11-03',
      digits: 1,
    });
    const late = [itunes, { ...web, from: '2026-11-04' }];
    expect(compareVisibility({ visibility, segments: late })).toBeNull();
    expect(markProviders(segments)).toMatchObject([
      { date: '2026-11-02', fact: { before: 'itunes', after: 'web' } },
    ]);
    expect(markProviders([itunes])).toEqual([]);
  });
});

test('positions of two search providers have no change, also where both were found', () => {
  const rank = (position: number | null) => ({ date: '2026-11-01', position, depth: 200 });
  const pairs = [
    [rank(5), rank(7), -2, 'lost'],
    [rank(5), rank(null), null, 'left'],
    [rank(null), rank(3), null, 'entered'],
    [rank(null), rank(null), null, 'same'],
  ] as const;
  for (const [a, b, delta, kind] of pairs) {
    expect(kindOf({ a, b, delta, isComparable: true })).toBe(kind);
    const apart = { a, b, delta: null, isComparable: false };
    expect([kindOf(apart), positionOf(apart)]).toEqual(['unknown', null]);
  }
});
