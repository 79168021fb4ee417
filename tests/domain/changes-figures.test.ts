import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compareGroups,
  summariseGroup,
  type Sides,
} from '#domain/tracking/changes/compare-groups.ts';
import { compareWords } from '#domain/tracking/changes/compare-words.ts';
import { studentQuantile975, summarise, welchInterval } from '#domain/tracking/changes/welch.ts';
import { diffWords, type WordOp } from '#lib/word-diff.ts';
import { findSurges } from '#domain/insights/timeline/find-surges.ts';
import { listDays } from '#lib/dates.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';

const textOf = (ops: WordOp[], kind: 'added' | 'removed') =>
  ops
    .filter(({ op }) => op === 'same' || op === kind)
    .map(({ text }) => text)
    .join('');

describe('a word diff', () => {
  const word = fc.constantFrom(
    'habit',
    'Habit',
    'goals',
    'daily',
    '習慣',
    '追跡',
    'café',
    '😀',
    '\n',
    ' ',
    '. ',
    '—',
    'ไทย',
  );
  const text = fc.oneof(
    fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
  );

  test('restores both texts, without empty or adjacent equal parts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const ops = diffWords(before, after);
        expect([textOf(ops, 'removed'), textOf(ops, 'added')]).toEqual([before, after]);
        expect(ops.every(({ text: part }) => part !== '')).toBe(true);
        expect(ops.every(({ op }, index) => op !== ops[index + 1]?.op)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is as short as dynamic programming finds', () => {
    const anyWords = fc.array(fc.constantFrom('a ', 'b ', 'c '), { maxLength: 14 });
    const segments = (words: string[]) =>
      Array.from(
        new Intl.Segmenter('und', { granularity: 'word' }).segment(words.join('')),
        (one) => one.segment,
      );
    fc.assert(
      fc.property(anyWords, anyWords, (a, b) => {
        const [left, right] = [segments(a), segments(b)];
        const changed = diffWords(a.join(''), b.join('')).filter(({ op }) => op !== 'same');
        const edits = changed.reduce((sum, { text: part }) => sum + segments([part]).length, 0);
        expect(edits).toBe(left.length + right.length - 2 * longestCommon(left, right));
      }),
      { numRuns: 500 },
    );
  });

  test('compares words, not characters', () => {
    expect(diffWords('Build habits that last', 'Build better habits that stay')).toEqual([
      { op: 'same', text: 'Build ' },
      { op: 'added', text: 'better ' },
      { op: 'same', text: 'habits that ' },
      { op: 'removed', text: 'last' },
      { op: 'added', text: 'stay' },
    ]);
    expect(diffWords('same', 'same')).toEqual([{ op: 'same', text: 'same' }]);
    expect(diffWords('', '')).toEqual([]);
  });

  test('of two long texts without a common word is two operations, quickly', () => {
    const make = (prefix: string) =>
      Array.from({ length: 5_000 }, (_, index) => `${prefix}${index}`).join(' ');
    const [before, after] = [
      `start ${make('x')} end`,
      `start ${make('y').replaceAll(' ', '_')} end`,
    ];
    let ops: ReturnType<typeof diffWords> = [];
    expect(cpuMsOf(() => (ops = diffWords(before, after)), 2_000)).toBeLessThan(2_000);
    expect(ops.map(({ op }) => op)).toEqual(['same', 'removed', 'added', 'same']);
    expect([textOf(ops, 'removed'), textOf(ops, 'added')]).toEqual([before, after]);
  });
});

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const word of a) {
    const next = [0];
    for (const [index, other] of b.entries())
      next.push(word === other ? row[index]! + 1 : Math.max(row[index + 1]!, next[index]!));
    row = next;
  }
  return row.at(-1)!;
}

describe('the confidence interval', () => {
  test.each([
    [1, 12.7062],
    [4, 2.7764],
    [10, 2.2281],
    [30, 2.0423],
    [120, 1.9799],
    [1e6, 1.96],
  ])('uses Student’s t of %d degrees: %d, as in the tables', (freedom, quantile) => {
    expect(studentQuantile975(freedom)).toBeCloseTo(quantile, 3);
  });

  test('is Welch’s, as in the worked example of two samples with unequal variance', () => {
    const a = summarise([
      27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4,
    ]);
    const b = summarise([
      27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4,
    ]);
    const { low, high } = welchInterval(a, b)!;
    // t = −2.46 with 25.0 degrees of freedom; the interval as computed by R and SciPy.
    expect((low + high) / 2).toBeCloseTo(a.mean - b.mean, 9);
    expect([low, high].map((side) => Math.round(side * 100) / 100)).toEqual([-3.98, -0.35]);
  });

  test('covers the true difference in about 95 of 100 samples', () => {
    let seed = 7;
    const uniform = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
    const sample = (n: number, mean: number, spread: number) =>
      summarise(Array.from({ length: n }, () => mean + spread * normal()));
    const rounds = 2_000;
    const covered = Array.from({ length: rounds }, () =>
      welchInterval(sample(6, 3, 4), sample(20, 1, 1))!,
    ).filter(({ low, high }) => low < 2 && 2 < high);
    expect(covered.length / rounds).toBeGreaterThan(0.93);
    expect(covered.length / rounds).toBeLessThan(0.97);
  });
});

const side = (...positions: (number | null | '-')[]) => ({
  dailyRanks: Uint8Array.from(positions, (position) => (position === '-' ? 0 : (position ?? 255))),
  depths: Uint8Array.from(positions, (position) => (position === '-' ? 0 : 200)),
});

describe('a group of keywords', () => {
  test('ignores unchecked days, and compares keywords found on three days of each side', () => {
    const rows: Sides[] = [
      { keywordId: 1, before: side(10, '-', 12, 14, '-'), after: side('-', 6, 6, 6, '-') },
      { keywordId: 2, before: side(10, 10, '-', '-', '-'), after: side(6, 6, 6, 6, 6) },
      {
        keywordId: 3,
        before: side(null, null, null, '-', '-'),
        after: side(40, null, null, null, null),
      },
      { keywordId: 4, before: side(30, 30, 30, 30, 30), after: side(null, null, '-', '-', '-') },
      { keywordId: 5, before: side('-', '-', '-'), after: side(1, 1, 1) },
      {
        keywordId: 6,
        before: { dailyRanks: Uint8Array.of(255, 255), depths: Uint8Array.of(30, 30) },
        after: side(55, 55),
      },
    ];
    expect(summariseGroup(rows)).toEqual({
      gains: [6],
      group: {
        keywords: 6,
        compared: 1,
        meanBefore: 12,
        meanAfter: 6,
        meanGain: 6,
        entered: 1,
        left: 1,
        keywordIds: [1, 2, 3, 4, 5, 6],
      },
    });
  });

  test('that is too small has a reason, and without variance a figure without interval', () => {
    expect(compareGroups([1, 2, 3, 4], [0, 0, 0, 0, 1])).toEqual({
      difference: null,
      interval: null,
      reason: 'too_few_affected',
    });
    expect(compareGroups([1, 2, 3, 4, 5], [0, 0, 0, 0])).toEqual({
      difference: null,
      interval: null,
      reason: 'too_few_control',
    });
    expect(compareGroups([2, 2, 2, 2, 2], [0, 0, 0, 0, 0])).toEqual({
      difference: 2,
      interval: null,
      reason: 'no_spread',
    });
    expect(compareGroups([1, 2, 3, 4, 5], [0, 1, -1, 0, 0])).toMatchObject({
      difference: 3,
      interval: { level: 0.95 },
      reason: null,
    });
  });
});

describe('words added to or removed from a field', () => {
  const touched = (field: string, before: unknown, after: unknown, phrase: string) =>
    compareWords({ field, before, after })?.touches(phrase);

  test('affect the phrases that contain one, ignoring case and punctuation', () => {
    expect(
      compareWords({
        field: 'name',
        before: 'Lumen: Habit Tracker',
        after: 'Lumen – HABIT & Mood',
      }),
    ).toMatchObject({
      gained: ['mood'],
      lost: ['tracker'],
    });
    const phrases = ['mood journal', 'habit tracker', 'habit', 'moody'];
    expect(
      phrases.map((phrase) =>
        touched('name', 'Lumen: Habit Tracker', 'Lumen – HABIT & Mood', phrase),
      ),
    ).toEqual([true, true, false, false]);
  });

  test('are found anywhere in scripts without spaces', () => {
    expect([
      touched('name', '習慣', '習慣追跡アプリ', '追跡'),
      touched('name', '習慣', '習慣追跡アプリ', '習慣'),
    ]).toEqual([true, false]);
  });

  test('are none in a picture or a price', () => {
    expect([
      compareWords({
        field: 'iconUrl',
        before: 'https://a.example/mood',
        after: 'https://a.example/x',
      }),
      compareWords({ field: 'price', before: 0, after: 1 }),
    ]).toEqual([null, null]);
  });
});

describe('a surge of reviews', () => {
  const days = listDays('2026-10-01', '2026-11-09');
  const surgesOf = (
    counts: Record<string, number>,
    usual: (index: number) => number,
    isKnown: (day: string) => boolean = () => true,
  ) =>
    findSurges(days, (day) => counts[day] ?? usual(days.indexOf(day)), isKnown).map(
      ({ date, count, usual: mean }) => [date, count, mean],
    );

  test('is far above the usual number', () => {
    expect(surgesOf({ '2026-11-01': 20 }, () => 3)).toEqual([['2026-11-01', 20, 3]]);
    expect(surgesOf({ '2026-11-01': 9 }, () => 3)).toEqual([]);
    expect(surgesOf({ '2026-11-01': 4 }, () => 0)).toEqual([]);
    expect(surgesOf({ '2026-11-01': 5 }, () => 0)).toEqual([['2026-11-01', 5, 0]]);
    expect(surgesOf({ '2026-11-01': 60 }, (index) => (index % 7 === 0 ? 60 : 10))).toEqual([]);
  });

  test('does not count an unfetched day as a day without reviews', () => {
    expect(
      surgesOf(
        { '2026-11-01': 20 },
        () => 0,
        (day) => day >= '2026-10-28',
      ),
    ).toEqual([]);
    expect(
      surgesOf(
        { '2026-11-01': 20 },
        () => 0,
        (day) => day !== '2026-11-01',
      ),
    ).toEqual([]);
  });
});
