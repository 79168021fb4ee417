import './api.fixtures.ts';
import { expect, test } from 'vitest';
import type { Keyword } from '#web/api.ts';
import { parsePhrases } from '#web/components/phrase-rules.ts';
import { splitNewTags } from '#web/components/split-new-tags.ts';
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

test.each([
  'photo editor, collage; background\nphoto editor',
  'photo editor、collage、background',
  'photo editor，collage；background',
  'photo editor､collage﹐background',
  'photo editor، collage؛ background',
])('a list is split at the separators of every keyboard: %s', (list) => {
  expect(parsePhrases(list)).toEqual(['photo editor', 'collage', 'background']);
});

test('new tags are split at wide commas, and those that are there stay as they are', () => {
  const before = ['写真、動画', 'core'];
  expect(splitNewTags([...before, '夏、 秋，core、'], before)).toEqual([...before, '夏', '秋']);
  expect(splitNewTags(['core'], before)).toEqual(['core']);
});
