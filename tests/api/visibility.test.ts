import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DayTally,
  keywordWeights,
  positionWeight,
} from '#domain/insights/visibility/visibility-index.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { readWithOtherProvider } from './keywords.fixtures.ts';

keepOrder('later tests add keywords to the app that earlier ones read');

const lastDay = '2026-11-21';

interface DayKeyword {
  position: number | null | undefined;
  weight: number;
}

function measureDay(keywords: readonly DayKeyword[]) {
  const tally = new DayTally();
  for (const { position, weight } of keywords) tally.add(position, weight);
  return tally.measure();
}

describe('the visibility index', () => {
  const position = fc.option(fc.integer({ min: 1, max: 200 }), { nil: null, freq: 3 });
  const keyword = fc.record({
    position: fc.option(position, { nil: undefined, freq: 4 }),
    weight: fc.double({ min: 1, max: 100, noNaN: true }),
  });
  const day = fc.array(keyword, { minLength: 1, maxLength: 30 });

  test('never falls with better positions, and rises with one', () => {
    fc.assert(
      fc.property(
        day,
        fc.array(fc.nat(50), { minLength: 30, maxLength: 30 }),
        (keywords, gains) => {
          const better = keywords.map((given, index): DayKeyword => {
            const before = given.position === null ? 201 : given.position;
            return before === undefined || gains[index] === 0
              ? given
              : { ...given, position: Math.max(1, before - gains[index]!) };
          });
          const [before, after] = [measureDay(keywords).index, measureDay(better).index];
          expect(after === null).toBe(before === null);
          if (before === null) return;
          expect(after).toBeGreaterThanOrEqual(before - 1e-9);
          const isBetter = keywords.some(
            ({ position: old }, index) =>
              positionWeight(better[index]!.position ?? null) > positionWeight(old ?? null),
          );
          if (isBetter) expect(after).toBeGreaterThan(before);
        },
      ),
    );
  });

  test('ignores unchecked keywords, which change the coverage', () => {
    fc.assert(
      fc.property(
        day,
        fc.array(fc.double({ min: 1, max: 100, noNaN: true }), { minLength: 1, maxLength: 10 }),
        (keywords, weights) => {
          const [before, after] = [
            measureDay(keywords),
            measureDay([
              ...keywords,
              ...weights.map((weight) => ({ position: undefined, weight })),
            ]),
          ];
          expect(after.index).toBe(before.index);
          expect([after.checked, after.ranked]).toEqual([before.checked, before.ranked]);
          expect(after.coverage!).toBeLessThanOrEqual(before.coverage!);
        },
      ),
    );
  });

  test('is 0 for nothing found, 100 for first positions only, null without a check', () => {
    fc.assert(
      fc.property(day, (keywords) => {
        const { index, coverage } = measureDay(keywords);
        if (index !== null) expect(index >= 0 && index <= 100 + 1e-9).toBe(true);
        expect(index === null).toBe(coverage === 0);
      }),
    );
    expect(
      measureDay([
        { position: 1, weight: 3 },
        { position: 1, weight: 1 },
      ]).index,
    ).toBe(100);
    expect(measureDay([{ position: null, weight: 3 }])).toEqual({
      index: 0,
      coverage: 1,
      followed: 1,
      checked: 1,
      ranked: 0,
    });
    expect(measureDay([])).toEqual({
      index: null,
      coverage: null,
      followed: 0,
      checked: 0,
      ranked: 0,
    });
  });

  test('weighs alike without scores; unscored keywords have the mean weight', () => {
    expect(keywordWeights([null, null])).toEqual([1, 1]);
    expect(keywordWeights([80, null, 40, 0])).toEqual([80, 121 / 3, 40, 1]);
  });
});

describe('GET /apps/{id}/visibility', () => {
  let api: TestApi;
  let ann: Account;
  let past: History;
  beforeAll(async () => {
    api = await startApi();
    ann = await api.signUp();
    past = await seedHistory(api.db.pool, {
      workspaceId: ann.workspaceId,
      apps: 1,
      markets: 12,
      days: 40,
      lastDay,
      gapShare: 0.3,
    });
  });
  afterAll(() => api.close());
  const read = (query: object = {}, who = ann) =>
    api.ok('GET /apps/{id}/visibility', { params: { id: past.appIds[0]! }, query }, who);

  /** The same computed from what was written, one keyword at a time. */
  const expected = (date: string, weightOf = (_number: number) => 1) => {
    const truths = past.keywords.map((keyword) => ({
      truth: past.groundTruthOf(keyword, date),
      weight: weightOf(keyword.number),
    }));
    const checked = truths.filter(({ truth }) => truth !== null);
    const sum = (list: typeof truths, value = (_item: (typeof truths)[number]) => 1) =>
      list.reduce((total, item) => total + item.weight * value(item), 0);
    const points = sum(checked, ({ truth }) =>
      truth!.position === null ? 0 : 1 / truth!.position,
    );
    return {
      date,
      index: checked.length === 0 ? null : (100 * points) / sum(checked),
      coverage: sum(checked) / sum(truths),
      followed: 12,
      checked: checked.length,
    };
  };

  test('returns the index of each day with coverage and formula', async () => {
    const response = await read({ from: addDays(lastDay, -20) });
    expect(response).toMatchObject({
      country: null,
      total: 21,
      formula: { id: 'visibility@1' },
      inputs: { weighting: 'equal', keywords: 12, tracked: 12, scored: 0 },
    });
    expect(new Set(response.items.map((item) => item.checked)).size).toBeGreaterThan(2);
    for (const item of response.items) {
      const { index, coverage, ...counts } = expected(item.date);
      expect(item).toMatchObject(counts);
      expect(item.index).toBeCloseTo(index!, 2);
      expect(item.coverage).toBeCloseTo(coverage, 4);
    }
  });

  test('has no index before keywords existed or during a pause; countries differ', async () => {
    const early = await read({ from: addDays(lastDay, -45), to: addDays(lastDay, -41) });
    expect(early.items[0]).toEqual({
      date: addDays(lastDay, -45),
      index: null,
      coverage: null,
      added: 0,
      followed: 0,
      checked: 0,
      ranked: 0,
    });
    const us = await read({ country: 'us' });
    expect([us.country, us.inputs.keywords]).toEqual(['us', 2]);
    await api.db.pool.query(
      `update keywords set tracking_periods = tracking_periods || '[["2026-11-20", 0]]'::jsonb
         where id = $1`,
      [past.keywords[0]!.id],
    );
    expect((await read()).items.at(-1)!.followed).toBe(11);
    await api.db.pool.query(
      'update keywords set tracking_periods = tracking_periods - 1 where id = $1',
      [past.keywords[0]!.id],
    );
  });

  test('uses scores made since the keyword is tracked, and none from before', async () => {
    const score = async (number: number, traffic: number, at: string) => {
      const { marketId } = past.keywords[number]!;
      await api.db.pool.query(
        `with made as (
           insert into scores (market_id, scored_at, observed_on, traffic, formula)
             values ($1, $2::timestamptz, ($2::timestamptz)::date, $3, 'traffic.ios@1')
             returning id
         ) insert into market_scores (market_id, score_id, scored_at, observed_on, traffic,
           confidence) select $1, id, $2::timestamptz, ($2::timestamptz)::date, $3, 'high'
           from made`,
        [marketId, at, traffic],
      );
    };
    await score(0, 90, '2026-01-01T00:00:00Z');
    expect((await read()).inputs).toEqual({
      weighting: 'equal',
      keywords: 12,
      tracked: 12,
      scored: 0,
    });
    await score(1, 80, '2026-11-20T00:00:00Z');
    await score(2, 20, '2026-11-20T00:00:00Z');
    const response = await read();
    expect(response.inputs).toEqual({ weighting: 'traffic', keywords: 12, tracked: 12, scored: 2 });
    const weightOf = (number: number) => (number === 1 ? 80 : number === 2 ? 20 : 50);
    for (const item of response.items.slice(-5)) {
      expect(item.index).toBeCloseTo(expected(item.date, weightOf).index!, 2);
      expect(item.coverage).toBeCloseTo(expected(item.date, weightOf).coverage, 4);
    }
  });

  test('names the search providers of its days', async () => {
    const [from, switched] = [(await read()).items[0]!.date, addDays(lastDay, -5)];
    expect((await read()).segments).toEqual([{ from, provider: 'itunes' }]);
    const { segments } = await readWithOtherProvider(api, switched, () => read());
    expect(segments).toEqual([
      { from, provider: 'itunes' },
      { from: switched, provider: 'other' },
    ]);
  });

  test('counts the same keywords on all days on request, and the added ones of each', async () => {
    const started = '2026-11-10';
    const late = past.keywords.slice(3, 8).map(({ id }) => id);
    const before = await read({ keywords: 'same' });
    await api.db.pool.query('update keywords set tracking_periods = $2::jsonb where id = any($1)', [
      late,
      JSON.stringify([[started, 200]]),
    ]);
    const [all, same] = [await read(), await read({ keywords: 'same' })];
    expect([all.inputs.keywords, same.inputs.keywords, same.inputs.tracked]).toEqual([12, 7, 12]);
    for (const { items } of [all, same])
      expect(
        items.filter(({ added }) => added > 0).map(({ date, added }) => [date, added]),
      ).toEqual([[started, 5]]);
    const day = (list: typeof all, date: string) => list.items.find((item) => item.date === date)!;
    // Before the others were added both are the same, and afterwards only one of them has changed.
    const earlier = addDays(started, -2);
    expect(day(same, earlier).index).toBe(day(all, earlier).index);
    expect(day(same, lastDay).followed).toBe(7);
    expect(day(all, lastDay)).toEqual(day(before, lastDay));
    await api.db.pool.query(
      'update keywords set tracking_periods = ' +
        '(select tracking_periods from keywords where id = $2) where id = any($1)',
      [late, past.keywords[9]!.id],
    );
  });

  test('is hidden from others, allows read-only tokens, refuses unknown parameters', async () => {
    const path = `/apps/${past.appIds[0]}/visibility`;
    const theirs = await api.raw(path, {}, await api.signUp());
    expect([theirs.status, theirs.body.code]).toEqual([404, 'not_found']);
    expect((await api.raw(path, {}, await api.token(ann, { readOnly: true }))).status).toBe(200);
    for (const query of [
      '?country=US',
      '?from=2026-02-30',
      '?from=2010-01-01&to=2026-11-21',
      '?nonsense=1',
    ]) {
      expect([query, (await api.raw(path + query, {}, ann)).status]).toEqual([query, 400]);
    }
  });
});
