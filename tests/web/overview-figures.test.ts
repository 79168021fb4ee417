import { expect, test } from 'vitest';
import { findIndexes, lacksSameKeywords } from '#web/pages/overview/figures.ts';
import type { VisibilityDay } from '#web/queries/visibility.ts';

const day = (date: string, index: number | null, coverage = 1): VisibilityDay => ({
  date,
  index,
  coverage,
  added: 0,
  followed: 10,
  checked: 10,
  ranked: 5,
});
const days = [
  day('2026-11-01', 20),
  day('2026-11-02', null),
  day('2026-11-03', 11, 0.5),
  day('2026-11-04', 12),
  day('2026-11-05', 14),
];
const datesOf = ({ first, last }: ReturnType<typeof findIndexes>) => [first?.date, last?.date];

test('the change of visibility is between almost completely checked days', () => {
  expect(datesOf(findIndexes(days, []))).toEqual(['2026-11-01', '2026-11-05']);
  expect(datesOf(findIndexes(days.slice(4), []))).toEqual([undefined, '2026-11-05']);
});

const webSince = (from: string) => [
  { from: '2026-11-01', provider: 'itunes' },
  { from, provider: 'web' },
];

test('nothing is compared with days of another search provider', () => {
  expect(datesOf(findIndexes(days, webSince('2026-11-03')))).toEqual(['2026-11-04', '2026-11-05']);
  expect(datesOf(findIndexes(days, webSince('2026-11-05')))).toEqual([undefined, '2026-11-05']);
});

test('keywords that changed within the period differ from a period without any', () => {
  const found = (keywords: number, added: number[]) => ({
    inputs: { weighting: 'equal', keywords, tracked: 2, scored: 0 } as const,
    items: added.map((count) => ({ ...day('2026-11-01', null), added: count })),
  });
  expect(lacksSameKeywords(found(0, [0, 0, 2]))).toBe(true);
  // Nothing was tracked in it.
  expect(lacksSameKeywords(found(0, [0, 0, 0]))).toBe(false);
  expect(lacksSameKeywords(found(1, [0, 0, 1]))).toBe(false);
});
