import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertRule } from '#contract/alerts.ts';

import { applyCooldowns, keyOf, type Alert } from '#domain/alerting/alerts/alert.ts';
import { toChangeAlerts } from '#domain/alerting/alerts/evaluate-change-alerts.ts';
import {
  findRankMove,
  type RankMove,
  type RankRule,
} from '#domain/alerting/alerts/find-rank-move.ts';
import { parseSavedRules } from '#domain/alerting/alerts/parse-saved-rules.ts';
import { resolveRules, defaultRules, findRule } from '#domain/alerting/alerts/rules.ts';
import { everyDrop } from '../harness/every-move-rules.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { addDays, listDays } from '#lib/dates.ts';

const first = '2026-10-01';
/**
 * A position, null for not found, '-' for not checked; with a depth of its own if it is not 200.
 */
type Cell = number | null | '-' | [position: number | null, depth: number];

function rowOf(cells: readonly Cell[]): { row: VisibleRow; days: string[] } {
  const pairs = cells.map((cell) =>
    Array.isArray(cell) ? cell : cell === '-' ? null : ([cell, 200] as const),
  );
  const row = {
    keywordId: 1,
    listingId: 1,
    marketId: 1,
    trackingPeriods: [[first, 200] as const],
    dailyRanks: Uint8Array.from(pairs, (pair) => (pair === null ? 0 : (pair[0] ?? 255))),
    depths: Uint8Array.from(pairs, (pair) => pair?.[1] ?? 0),
    trackedDepths: new Uint8Array(cells.length).fill(200),
  };
  return { row, days: listDays(first, addDays(first, cells.length - 1)) };
}

const rule = (event: RankRule['event'], given: object = {}) =>
  alertRule.parse({ ...everyDrop, event, ...given }) as RankRule;
const defaults = (({ scope: _, enabled: __, event: ___, ...members }) => members)(
  alertRule.parse({ event: 'rank.dropped' }) as RankRule,
);
function decide(cells: readonly Cell[], given: object = {}): (RankMove & { event: string }) | null {
  const { row, days } = rowOf(cells);
  const found = (['rank.dropped', 'rank.improved'] as const).flatMap((event) => {
    const move = findRankMove(row, days, cells.length - 1, rule(event, given));
    return move ? [{ event, ...move }] : [];
  });
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0] ?? null;
}

describe('alerts of every move', () => {
  it.each<[string, Cell[], string | null, string[], number[]]>([
    ['four places', [12, 16], null, [], []],
    ['five positions down', [12, 17], 'rank.dropped', ['moved'], []],
    ['five positions up', [17, 12], 'rank.improved', ['moved'], []],
    ['lost the first position', [1, 2], 'rank.dropped', ['crossed'], [1]],
    ['reached the first position', [2, 1], 'rank.improved', ['crossed'], [1]],
    ['out of the top 3', [3, 4], 'rank.dropped', ['crossed'], [3]],
    ['out of the top 10', [10, 11], 'rank.dropped', ['crossed'], [10]],
    ['into the top 50', [51, 50], 'rank.improved', ['crossed'], [50]],
    ['across two', [2, 11], 'rank.dropped', ['moved', 'crossed'], [3, 10]],
    ['out of the depth', [180, null], 'rank.dropped', ['left'], []],
    ['out of the depth from the top', [2, null], 'rank.dropped', ['left', 'crossed'], [3, 10, 50]],
    ['into the depth', [null, 190], 'rank.improved', ['entered'], []],
    ['into the top at once', [null, 1], 'rank.improved', ['entered', 'crossed'], [1, 3, 10, 50]],
    ['the same position', [7, 7], null, [], []],
    ['still nowhere', [null, null], null, [], []],
    ['the first check', [90], null, [], []],
    ['the first check after unchecked days', ['-', '-', 3], null, [], []],
    ['no check that day', [3, '-'], null, [], []],
    [
      'three unchecked days between',
      [10, '-', '-', '-', 40],
      'rank.dropped',
      ['moved', 'crossed'],
      [10],
    ],
    ['four unchecked days between', [10, '-', '-', '-', '-', 40], null, [], []],
    ['not found where the store showed only thirty positions', [45, [null, 30]], null, [], []],
    ['found below the previous depth', [[null, 30], 45], null, [], []],
    [
      'below the thirty positions shown',
      [8, [null, 30]],
      'rank.dropped',
      ['left', 'crossed'],
      [10],
    ],
  ])('%s', (_name, cells, event, reasons, crossed) => {
    const move = decide(cells);
    expect([move?.event ?? null, move?.reasons ?? [], move?.crossed ?? []]).toEqual([
      event,
      reasons,
      crossed,
    ]);
  });

  const anyCell = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 200 }) },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant('-' as const) },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
        fc.integer({ min: 30, max: 200 }),
      ),
    },
  );

  it('follow a plain reading of the rule for any past', () => {
    fc.assert(
      fc.property(fc.array(anyCell, { minLength: 1, maxLength: 12 }), (cells) => {
        const pairs = cells.map((cell) =>
          Array.isArray(cell)
            ? cell
            : cell === '-'
              ? null
              : ([cell, 200] as [number | null, number]),
        );
        const now = pairs.at(-1);
        const beforeAt = pairs.slice(0, -1).findLastIndex((pair) => pair !== null);
        const before = pairs[beforeAt];
        const isComparable = now && before && pairs.length - 2 - beforeAt <= 3;
        let expected: string | null = null;
        if (isComparable) {
          const knows = (pair: [number | null, number], line: number) =>
            pair[0] === null ? pair[1] >= line : true;
          const within = (pair: [number | null, number], line: number) =>
            pair[0] !== null && pair[0] <= line;
          const across = (from: [number | null, number], to: [number | null, number]) =>
            [1, 3, 10, 50].some(
              (line) =>
                knows(from, line) && knows(to, line) && within(from, line) && !within(to, line),
            );
          const gone = (from: [number | null, number], to: [number | null, number]) =>
            from[0] !== null && to[0] === null && from[0] <= to[1];
          const far = (from: [number | null, number], to: [number | null, number]) =>
            from[0] !== null && to[0] !== null && to[0] - from[0] >= 5;
          const worse = (from: [number | null, number], to: [number | null, number]) =>
            far(from, to) || gone(from, to) || across(from, to);
          expected = worse(before, now)
            ? 'rank.dropped'
            : worse(now, before)
              ? 'rank.improved'
              : null;
        }
        const move = decide(cells);
        expect(move?.event ?? null).toBe(expected);
        if (move)
          expect([move.from.position, move.to.position, move.to.depth]).toEqual([
            before![0],
            now![0],
            now![1],
          ]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('rules', () => {
  it('set thresholds, positions and the edge of the depth', () => {
    expect(decide([12, 14], { minPositions: 2 })?.reasons).toEqual(['moved']);
    expect(decide([19, 21], { thresholds: [20] })?.crossed).toEqual([20]);
    expect(decide([10, 11], { thresholds: [] })).toBeNull();
    expect(decide([198, null], { depthEdge: false })).toBeNull();
    expect(decide([180, null], { depthEdge: false })?.reasons).toEqual(['left']);
    expect(decide([null, 180], { depthEdge: false })?.reasons).toEqual(['entered']);
    expect(
      decide(
        [
          [28, 30],
          [null, 30],
        ],
        { depthEdge: false },
      ),
    ).toBeNull();
    expect(decide([10, '-', 40], { maxGapDays: 0 })).toBeNull();
    expect(decide([10, '-', '-', '-', '-', 40], { maxGapDays: 4 })?.event).toBe('rank.dropped');
  });

  it('with hysteresis ignore moves around a threshold and report a drift once', () => {
    const given = { thresholds: [10], hysteresisPositions: 2, minPositions: 50 };
    for (const past of [
      [10, 11],
      [10, 11, 10, 12],
      [11, 12],
      [14, 13],
    ])
      expect(decide(past, given)).toBeNull();
    expect(decide([10, 13], given)).toMatchObject({
      event: 'rank.dropped',
      crossed: [10],
      from: { position: 10 },
    });
    expect(decide([10, 11, 12, 13], given)).toMatchObject({
      event: 'rank.dropped',
      from: { date: first, position: 10 },
      to: { position: 13 },
      positionsGained: -3,
    });
    expect(decide([10, 11, 12, 13, 14], given)).toBeNull();
    expect(decide([10, 12, '-', '-', '-', '-', 13], given)).toBeNull();
    expect(decide([12, 10, 9, 8], given)).toMatchObject({
      event: 'rank.improved',
      from: { position: 12 },
      to: { position: 8 },
    });
    expect(
      decide([2, 1], { thresholds: [1], hysteresisPositions: 5, minPositions: 50 })?.event,
    ).toBe('rank.improved');
  });

  it('by default wait for a second day, for fifteen positions or the top 10', () => {
    for (const quiet of [
      [40, 60],
      [40, 60, 41],
      [40, 54, 54],
      [1, 9, 9],
      [9, 12, 12],
      [50, 51, 52],
      [190, null, null],
      [40, '-', 60],
      ['-', 60, 60],
    ] as Cell[][])
      expect([quiet, decide(quiet, defaults)]).toEqual([quiet, null]);
    expect(decide([40, 60, 58], defaults)).toMatchObject({
      event: 'rank.dropped',
      from: { date: first, position: 40 },
      to: { position: 58 },
      reasons: ['moved'],
    });
    expect(decide([40, 60, '-', 58], defaults)?.reasons).toEqual(['moved']);
    expect(decide([40, 60, null], defaults)?.reasons).toEqual(['left']);
    expect(decide([9, 13, 14], defaults)).toMatchObject({ reasons: ['crossed'], crossed: [10] });
    expect(decide([9, 12, 13, 14], defaults)).toMatchObject({ from: { position: 9 } });
    expect(decide([9, 14, 14, 14], defaults)).toBeNull();
    expect(decide([14, 8, 7], defaults)).toMatchObject({ event: 'rank.improved', crossed: [10] });
    expect(decide([null, 120, 118], defaults)?.reasons).toEqual(['entered']);
  });

  it('saved before a member existed work as they did', () => {
    const saved = [{ event: 'rank.dropped', minPositions: 5 }, { event: 'review.negative' }];
    expect(parseSavedRules(saved)).toMatchObject([
      { sustainedDays: 1, minPositions: 5 },
      { everyReview: true },
    ]);
    expect(parseSavedRules(null)).toEqual([]);
  });

  it('apply in order: the first match decides, none is silent, no rules is default', () => {
    const own = [
      { event: 'rank.dropped', scope: { appIds: [7] }, enabled: false },
      { event: 'rank.dropped', scope: { tags: ['vip'] }, minPositions: 2 },
      { event: 'rank.dropped', scope: { minTraffic: 50 }, minPositions: 9 },
    ].map((given) => alertRule.parse(given));
    const unchanged = defaultRules({ reviewNegativeMaxRating: 3 });
    const rules = resolveRules(own, { reviewNegativeMaxRating: 3 });
    const find = (subject: object) =>
      findRule(rules, 'rank.dropped', { appId: 1, tags: [], traffic: null, ...subject });
    expect(find({ appId: 7, tags: ['vip'] })).toBeNull();
    expect(find({ tags: ['other', 'vip'], traffic: 90 })?.minPositions).toBe(2);
    expect([find({ traffic: 50 })?.minPositions, find({ traffic: 49 }), find({})]).toEqual([
      9,
      null,
      null,
    ]);
    expect(findRule(rules, 'rank.improved', { appId: 7, tags: [], traffic: null })).toEqual(
      unchanged.find((one) => one.event === 'rank.improved'),
    );
    expect(
      findRule(rules, 'review.negative', { appId: 7, tags: [], traffic: null })?.maxRating,
    ).toBe(3);
  });

  it('start a cooldown with an alert, not with what the cooldown suppressed', () => {
    const alert = (date: string, given: object = {}) =>
      ({
        type: 'rank.dropped',
        subject: '5',
        date,
        appId: 1,
        links: {},
        cooldownDays: 2,
        data: {},
        ...given,
      }) as unknown as Alert;
    const days = listDays('2026-11-01', '2026-11-06');
    const reported = (alerts: Alert[], known?: Set<string>) =>
      applyCooldowns(alerts, known).map((one) => `${one.subject} ${one.type} ${one.date.slice(8)}`);
    expect(reported(days.map((date) => alert(date)).toReversed())).toEqual([
      '5 rank.dropped 01',
      '5 rank.dropped 04',
    ]);
    expect(
      reported([
        alert(days[0]!),
        alert(days[1]!, { subject: '6' }),
        alert(days[1]!, { type: 'rank.improved' }),
      ]),
    ).toHaveLength(3);
    expect(reported([alert(days[2]!)], new Set([keyOf(alert(days[0]!), days[0]!)]))).toEqual([]);
    expect(reported([alert(days[3]!)], new Set([keyOf(alert(days[0]!), days[0]!)]))).toHaveLength(
      1,
    );
    expect(reported([alert(days[0]!), alert(days[0]!)])).toHaveLength(1);
  });
});

describe('a change of a listing', () => {
  const change = (country: string, field: string, day: number, after = '2.0') => ({
    snapshotId: day * 10 + country.charCodeAt(0),
    listingId: 7,
    store: 'ios' as const,
    storeAppId: '1',
    name: 'Other',
    developer: null,
    country,
    field,
    before: '1.0',
    after,
    detectedAt: new Date(`2026-11-0${day}T03:00:00Z`),
    previousAt: new Date('2026-11-01T03:00:00Z'),
    followers: [{ appId: 1, competitorId: 3, tags: [] }],
  });
  const rules = defaultRules({ reviewNegativeMaxRating: 2 });
  const listAlerts = (rows: Parameters<typeof toChangeAlerts>[0]) =>
    applyCooldowns(toChangeAlerts(rows, rules)).map(({ data }) => {
      const { country, changes } = data as {
        country: string;
        changes: { field: string }[];
      };
      return [country, ...changes.map(({ field }) => field)];
    });

  it('of a release is one alert, not one per country', () => {
    const ofRelease = ['us', 'de', 'jp'].flatMap((country, index) => [
      change(country, 'version', 2 + index),
      change(country, 'releaseNotes', 2 + index, `notes in ${country}`),
    ]);
    expect(listAlerts(ofRelease)).toEqual([['us', 'version', 'releaseNotes']]);
    expect(listAlerts([...ofRelease, change('de', 'name', 3, 'Anders')])).toEqual([
      ['us', 'version', 'releaseNotes'],
      ['de', 'name'],
    ]);
    expect(listAlerts([...ofRelease, change('us', 'version', 6, '2.1')])).toEqual([
      ['us', 'version', 'releaseNotes'],
      ['us', 'version'],
    ]);
  });

  it('of the app itself is one alert, too', () => {
    const own = ['us', 'de'].map((country) => ({
      ...change(country, 'version', 2),
      followers: [{ appId: 1, competitorId: null, tags: [] }],
    }));
    expect(listAlerts(own)).toEqual([['us', 'version']]);
  });

  it('in the same fields of several countries is one alert a day', () => {
    const shots = (day: number) =>
      ['us', 'de', 'jp'].map((country) => change(country, 'screenshotUrls', day, country));
    expect(listAlerts([...shots(2), change('de', 'name', 2), ...shots(3)])).toEqual([
      ['us', 'screenshotUrls'],
      ['de', 'screenshotUrls', 'name'],
      ['us', 'screenshotUrls'],
    ]);
  });
});
