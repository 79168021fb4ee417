import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { evaluateEstimates } from '#domain/insights/scores/evaluation/evaluate-estimates.ts';
import { estimate } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import { formatEvaluation } from '#domain/insights/scores/evaluation/format-evaluation.ts';
import { pairApps } from '#domain/insights/scores/evaluation/get-evaluation.ts';
import { readLabels } from '#domain/insights/scores/evaluation/read-labels.ts';
import {
  areaUnderCurve,
  correlate,
  correlateWithInterval,
} from '#domain/insights/scores/evaluation/statistics.ts';
import { readScoreWorld } from '../harness/score-world.ts';
import { goldenMarkets } from './scores-golden.ts';
import { fromGolden } from './scores.fixtures.ts';

const pair = (a: number, b: number) => ({ a, b });

describe('the statistics of an evaluation', () => {
  it('are those of the textbook', () => {
    const rising = Array.from({ length: 12 }, (_, index) => pair(index, index ** 3));
    expect(correlate(rising)).toBeCloseTo(1, 12);
    expect(correlate(rising.map(({ a, b }) => pair(a, -b)))).toBeCloseTo(-1, 12);
    // Ranks 1..10 against a list with the sum of squared differences 32: 1 - 6 × 32 / 990.
    const swapped = [5, 2, 3, 4, 1, 6, 7, 8, 9, 10].map((b, index) => pair(index + 1, b));
    expect(correlate(swapped)).toBeCloseTo(1 - (6 * 32) / 990, 12);
    expect(correlate(rising.slice(0, 9))).toBeNull();
    expect(correlate(rising.map(({ a }) => pair(a, 7)))).toBeNull();
    expect(areaUnderCurve([3, 4], [1, 2])).toBe(1);
    expect(areaUnderCurve([1, 3], [2, 2])).toBe(0.5);
    expect(areaUnderCurve([2], [2])).toBe(0.5);
    expect(areaUnderCurve([], [1])).toBeNull();
  });

  it('have an interval that contains the value and depends on the seed alone', async () => {
    const noisy = Array.from({ length: 80 }, (_, index) => [
      pair(index, (index * 7) % 13 === 0 ? 80 - index : index),
    ]);
    const found = (await correlateWithInterval(noisy, 5))!;
    expect(found.low).toBeLessThanOrEqual(found.value);
    expect(found.high).toBeGreaterThanOrEqual(found.value);
    expect(found.low).toBeLessThan(found.high);
    expect(await correlateWithInterval(noisy, 5)).toEqual(found);
    expect(await correlateWithInterval(noisy, 6)).not.toEqual(found);
  });

  it('are computed in steps, between which other requests are served', async () => {
    const groups = Array.from({ length: 20 }, (_, index) => [pair(index, (index * 7) % 20)]);
    let [steps, isRunning] = [0, true];
    const others = (async () => {
      for (; isRunning; steps += 1) await setImmediate();
    })();
    await correlateWithInterval(groups, 1);
    isRunning = false;
    await others;
    expect(steps).toBeGreaterThan(100);
  });
});

describe('labels', () => {
  it('are read in any order of columns; the higher of two numbers counts', () => {
    expect(
      readLabels(
        'Country,popularity,Phrase,genre,extra\nUS,70,Habit  Tracker,Productivity,x\n' +
          'us,71.5,habit tracker,,x\nde,,nie gesucht,,x\n',
      ),
    ).toEqual([
      { store: 'ios', country: 'us', phrase: 'habit tracker', genre: null, popularity: 71.5 },
      { store: 'ios', country: 'de', phrase: 'nie gesucht', genre: null, popularity: null },
    ]);
  });

  it.each([
    ['phrase,country\nx,us', 'lacks the column popularity'],
    ['phrase,country,popularity\nx,usa,1', 'Row 2: the country'],
    ['phrase,country,popularity\nx,us,101', 'Row 2: the popularity'],
    ['phrase,country,popularity\nx,us,many', 'Row 2: the popularity'],
    ['phrase,country,popularity\n,us,1', 'Row 2 has no phrase'],
    ['phrase,country,popularity,store\nx,us,1,shop', 'Row 2: the store must be one of ios'],
    ['phrase,country,popularity\n"x,us,1', 'is not CSV'],
  ])('that are wrong are refused with the row: %j', (text, message) => {
    expect(() => readLabels(text)).toThrow(message);
  });
});

describe('an evaluation', () => {
  const label = { store: 'ios' as const, country: 'us', genre: null };
  const market = fromGolden(goldenMarkets[0]!);

  it('counts phrases without evidence, and shows the worst with their evidence', async () => {
    const phrases = [
      estimate({ ...label, phrase: 'habit tracker', popularity: 10 }, market),
      estimate({ ...label, phrase: 'habit tracker', popularity: null }, market),
      estimate({ ...label, phrase: 'never tracked', popularity: 50 }, undefined),
    ];
    const evaluation = await evaluateEstimates(phrases, { seed: 1 });
    const [ios] = evaluation.stores;
    const error = phrases[0]!.estimate! - 10;
    expect(ios).toMatchObject({
      n: 1,
      unlisted: 1,
      withoutEstimate: 1,
      spearman: null,
      meanAbsoluteError: error,
      meanError: error,
      auc: 0.5,
    });
    expect(ios!.worst).toEqual([expect.objectContaining({ phrase: 'habit tracker', error })]);
    expect(ios!.worst[0]!.evidence.length).toBeGreaterThan(0);
    const file = { form: 'labels' as const, months: [], rowsRead: 3, rowsRefused: 0 };
    expect(formatEvaluation({ ...evaluation, file })).toContain(
      `us habit tracker: ${10 + error} instead of 10`,
    );
  });

  it('is by store, genre and length, with the worst twenty first', async () => {
    const phrases = Array.from({ length: 120 }, (_, index) => ({
      ...estimate(
        { ...label, phrase: 'x', popularity: index % 40 === 39 ? null : index % 40 },
        market,
      ),
      store: index < 80 ? ('ios' as const) : ('android' as const),
      genre: index % 2 === 0 ? 'games' : null,
      words: 1 + (index % 6),
      // Every tenth is too high, the more the later.
      estimate: (index % 40) + (index % 10 === 0 ? index + 1 : 0),
    }));
    const { stores } = await evaluateEstimates(phrases, { seed: 1 });
    expect(stores.map(({ store, n, unlisted }) => [store, n, unlisted])).toEqual([
      ['ios', 78, 2],
      ['android', 39, 1],
    ]);
    const [ios] = stores;
    expect(ios!.genres.map(({ name, n }) => [name, n])).toEqual([
      ['games', 40],
      ['unknown', 38],
    ]);
    expect(ios!.lengths.map(({ name }) => name)).toEqual(['1', '2', '3', '4+']);
    expect(ios!.lengths.reduce((sum, { n }) => sum + n, 0)).toBe(78);
    expect(ios!.worst).toHaveLength(20);
    expect(ios!.worst.slice(0, 9).map(({ error }) => error)).toEqual([
      71, 61, 51, 41, 31, 21, 11, 1, 0,
    ]);
    expect(ios!.spearman!.low).toBeLessThan(ios!.spearman!.value);
    expect([ios!.meanError, ios!.meanAbsoluteError]).toEqual([3.692, 3.692]);
    // The two unlisted ones have the estimate 39, below two of the too high ones at least.
    expect(ios!.auc!).toBeLessThan(0.2);
  });

  it('ignores a published number, which would only agree with itself', () => {
    const published = { popularity: 99, genre: 'GAMES', period: '2026-02' };
    const given = { ...label, phrase: 'habit tracker', popularity: 99 };
    expect(estimate(given, { ...market, popularity: published, popularityBound: 3 })).toEqual(
      estimate(given, market),
    );
  });

  it('without labels pairs each app that has the phrase in its title with its position', () => {
    const pairs = pairApps(market);
    expect(pairs.map(({ b }) => b)).toEqual([1, 2, 4, 5, 6]);
    // The weakest app, fifth with 53 ratings, should be the lowest.
    expect(Math.max(...pairs.map(({ a }) => a))).toBe(pairs[3]!.a);
  });

  // `npm run bench -- scores` prints the figures of the whole world.
  it.each(['ios', 'android'] as const)(
    'on a part of the simulator’s world agrees with its true demand on %s',
    async (store) => {
      const world = await readScoreWorld(store, { seed: 4, country: 'us', every: 7 });
      const phrases = world.map(({ evidence, genre, popularity }) =>
        estimate(
          { store, country: 'us', phrase: evidence.phrase.text, genre, popularity },
          evidence,
        ),
      );
      const [found] = (await evaluateEstimates(phrases, { seed: 1 })).stores;
      expect(found!.spearman!.value).toBeGreaterThan(0.8);
      expect(found!.auc!).toBeGreaterThan(0.85);
    },
  );
});
