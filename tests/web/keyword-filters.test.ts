import './api.fixtures.ts';
import { expect, test } from 'vitest';
import type { Keyword } from '#web/api.ts';
import { filterKeywords } from '#web/pages/keywords/keyword-filters.ts';

const keywords = ['pdf scanner', 'カメラ', 'istanbul', 'habit tracker', 'café finder'].map(
  (phrase) => ({ phrase, country: 'us', device: 'iphone', tags: [] }) as unknown as Keyword,
);
const find = (q: string) => filterKeywords(keywords, { q }).map(({ phrase }) => phrase);

test.each([
  ['ＰＤＦ', 'pdf scanner'],
  ['ｶﾒﾗ', 'カメラ'],
  ['İstanbul', 'istanbul'],
  [' Habit  Tracker ', 'habit tracker'],
  ['Cafe\u0301', 'café finder'],
])('a search for %s finds the stored phrase, as that of the API does', (q, phrase) => {
  expect(find(q)).toEqual([phrase]);
});

test('a search for white space finds every keyword', () => {
  expect(find('  ')).toHaveLength(keywords.length);
});
