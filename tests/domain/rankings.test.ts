import { Fallbacks } from '#domain/tracking/rankings/fallbacks.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarketMonths } from '#db/queries/rankings/market-months.ts';
import type { RankMonths } from '#db/queries/rankings/rank-months.ts';
import {
  listRankEntries,
  toDailyRanks,
  type DailyRank,
  type DailyRankCursor,
} from '#domain/tracking/rankings/daily-rank-list.ts';
import {
  encodePosition,
  decodeDailyRank,
  decodeDay,
  encodeDay,
} from '#domain/tracking/rankings/daily-rank-codec.ts';
import { readListCursor, writeListCursor } from '#domain/tracking/rankings/rank-cursor.ts';
import {
  packIds,
  packStrengths,
  unpackIds,
  unpackStrengths,
} from '#domain/tracking/rankings/pack-serp.ts';
import { ExaminedDays } from '#domain/tracking/rankings/examined-days.ts';
import { ProviderSeries } from '#domain/tracking/rankings/provider-series.ts';
import { isFarShorter } from '#domain/tracking/anomalies/is-far-shorter.ts';
import { findConfirmationReason } from '#domain/tracking/rankings/confirmation-reason.ts';
import { isSmall } from '#domain/tracking/rankings/position.ts';
import { classifyChange, rankChanges } from '#domain/tracking/rankings/rank-change.ts';
import { toMatrixJson } from '#domain/tracking/rankings/get-matrix.ts';
import {
  awaitedByte,
  isAwaited,
  parseTrackingPeriods,
  paused,
  toOwnInstant,
  trackedDepthOn,
  trackedDepths,
  trackedSpans,
  unseen,
  withTrackingPeriod,
  type TrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { visibleRows } from '#domain/tracking/rankings/visible-rows.ts';
import { ResultCounts } from '#domain/tracking/rankings/result-counts.ts';
import { parseDayRange, windowOf } from '#domain/base/day-window.ts';
import {
  addDays,
  dayIndexInMonth,
  listDays,
  monthOf,
  startOfDayMs,
  type UtcDay,
} from '#lib/dates.ts';

const positions = fc.option(fc.integer({ min: 1, max: 200 }));
const depths = fc.integer({ min: 1, max: 200 });
const someDay = fc.integer({ min: 0, max: 1_200 }).map((days) => addDays('2024-01-01', days));

describe('the codec', () => {
  test('restores every position, null, depth and second', () => {
    fc.assert(
      fc.property(
        positions,
        depths,
        fc.integer({ min: 0, max: 0xff_ff_ff }),
        fc.integer({ min: 0, max: 30 }),
        (position, depth, seconds, index) => {
          const cells = Buffer.alloc(31);
          cells[index] = encodePosition(position);
          const days = Buffer.alloc(124);
          encodeDay(depth, seconds).copy(days, index * 4);
          for (let day = 0; day < 31; day += 1) {
            expect(decodeDailyRank(cells, day)).toBe(day === index ? position : undefined);
            expect(decodeDay(days, day)).toEqual(day === index ? { depth, seconds } : null);
          }
        },
      ),
    );
  });

  test('refuses position 0 and everything else that is not a position', () => {
    for (const wrong of [0, -1, 201, 1.5, Number.NaN])
      expect(() => encodePosition(wrong)).toThrow(RangeError);
    for (const [depth, seconds] of [
      [0, 1],
      [201, 1],
      [1, -1],
      [1, 2 ** 24],
    ])
      expect(() => encodeDay(depth!, seconds!)).toThrow(RangeError);
  });

  test('keeps listing ids and strengths of search results', () => {
    const ids = fc.array(fc.integer({ min: 1, max: 2_147_483_647 }), { maxLength: 200 });
    const strength = fc.option(
      fc.record({
        rating: fc.option(fc.integer({ min: 1, max: 500 }).map((value) => value / 100)),
        ratingCount: fc.option(fc.integer({ min: 1 })),
      }),
    );
    fc.assert(
      fc.property(ids, fc.array(strength, { maxLength: 14 }), (list, strengths) => {
        expect(unpackIds(packIds(list))).toEqual(list);
        expect(unpackStrengths(packStrengths(strengths))).toEqual(strengths.slice(0, 10));
      }),
    );
    const none = { rating: null, ratingCount: 0 };
    expect(unpackStrengths(packStrengths([none]))).toEqual([{ rating: null, ratingCount: null }]);
  });
});

/** As changes make them: of two on a day the later one replaces the first, unless it is awaited. */
const trackingPeriodLists = fc
  .array(fc.tuple(someDay, fc.oneof(fc.constant(0), depths), fc.boolean()), {
    minLength: 1,
    maxLength: 5,
  })
  .map((changes) =>
    changes
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .reduce<TrackingPeriod[]>(
        (periods, [day, depth, isAwaited]) =>
          withTrackingPeriod(periods, day, depth, isAwaited && depth > 0 ? 1 : null),
        [],
      ),
  )
  .filter((periods) => periods.length > 0)
  .map((periods) => parseTrackingPeriods(JSON.parse(JSON.stringify(periods))));

describe('a number of results', () => {
  test.each([
    // A response, the usual number, the requested depth; whether it needs confirmation.
    [0, 200, 200, true],
    [99, 200, 200, true],
    [120, 200, 200, true],
    [121, 200, 200, false],
    [0, 0, 200, false],
    [1, 4, 200, true],
    [1, 2, 200, true],
    [2, 2, 200, false],
    [1, 1, 200, false],
    [5, 9, 200, true],
    [6, 9, 200, false],
    // A market that is searched less deep than its usual number of results.
    [50, 200, 50, false],
    [24, 200, 50, true],
  ])(
    'of %i where %s is usual and %i were requested: far shorter %s',
    (count, usualResults, depth, expected) => {
      expect(isFarShorter(count, { usualResults, depth })).toBe(expected);
    },
  );

  test('is small at the first search below the usual length of a page', () => {
    expect([0, 49, 50].map((count) => isSmall('ios', count, 200))).toEqual([true, true, false]);
    expect(isSmall('ios', 30, 30)).toBe(false);
    expect([19, 20, 30].map((count) => isSmall('android', count, 200))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a result without an app that was found before', () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ storeAppId: `app.${index}`, card: null }));
  const reasonOf = (
    previousPosition: number | null,
    count: number,
    {
      usualResults = 30,
      end = 'exhausted',
    }: { usualResults?: number | null; end?: 'exhausted' | 'truncated' } = {},
  ) =>
    findConfirmationReason(
      {
        store: 'android',
        depth: 30,
        usualResults,
        tracked: [{ id: 1, storeAppId: 'lost', previousPosition }],
      },
      { items: ids(count), end },
    );

  test('needs confirmation where the list is shorter, or the app was far up', () => {
    expect(reasonOf(28, 27)).toBe('lost');
    expect(reasonOf(3, 30)).toBe('dropped');
  });

  test('is believed where the app was near the end, or not examined so far', () => {
    expect(reasonOf(28, 30)).toBeNull();
    expect(reasonOf(28, 27, { end: 'truncated' })).toBeNull();
    expect(reasonOf(null, 27)).toBeNull();
  });

  test('is far shorter or small whatever apps it has', () => {
    expect(reasonOf(null, 15)).toBe('shorter');
    expect(reasonOf(3, 15, { usualResults: null })).toBe('small');
  });
});

describe('tracking periods', () => {
  test('agree for one day, for many days and as spans', () => {
    fc.assert(
      fc.property(
        trackingPeriodLists,
        someDay,
        fc.integer({ min: 1, max: 400 }),
        (trackingPeriods, from, count) => {
          const days = listDays(from, addDays(from, count - 1));
          const spans = trackedSpans(trackingPeriods, days.at(-1)!);
          expect(
            [...trackedDepths(trackingPeriods, days)].map((byte) =>
              byte === awaitedByte ? paused : byte,
            ),
          ).toEqual(days.map((day) => trackedDepthOn(trackingPeriods, day) ?? unseen));
          for (const day of days)
            expect(spans.some((span) => span.from <= day && day <= span.to)).toBe(
              (trackedDepthOn(trackingPeriods, day) ?? 0) > 0,
            );
        },
      ),
    );
  });

  test('show an awaited day as before until the check, and no earlier instant after it', () => {
    const day = '2026-11-21';
    const before = withTrackingPeriod([], '2026-11-01', 50);
    const seen = (periods: readonly TrackingPeriod[]) => [
      trackedDepthOn(periods, day),
      trackedDepthOn(periods, '2026-11-22'),
      trackedSpans(periods, '2026-11-30').at(-1)!.from,
    ];
    const [added, deeper] = [
      withTrackingPeriod([], day, 200, 3_000),
      withTrackingPeriod(before, day, 200, 3_000),
    ];
    expect([seen(added), seen(deeper)]).toEqual([
      [0, 200, '2026-11-22'],
      [50, 200, '2026-11-22'],
    ]);
    expect([...trackedDepths(added, ['2026-11-20', day])]).toEqual([unseen, awaitedByte]);
    const afterFirstCheck: TrackingPeriod[] = [[day, 200, 3_600]];
    expect(seen(afterFirstCheck)).toEqual([200, 200, day]);
    const shown = (at: string) => toOwnInstant(afterFirstCheck, new Date(at)).toISOString();
    expect(
      ['2026-11-21T00:10:00Z', '2026-11-21T02:00:00Z', '2026-11-22T00:10:00Z'].map(shown),
    ).toEqual(['2026-11-21T01:00:00.000Z', '2026-11-21T02:00:00.000Z', '2026-11-22T00:10:00.000Z']);
    // A smaller depth on the same day does not bring earlier instants back.
    expect(withTrackingPeriod(afterFirstCheck, day, 30)).toEqual([[day, 30, 3_600]]);
  });

  test('keep earlier days unchanged when they change', () => {
    fc.assert(
      fc.property(
        trackingPeriodLists,
        someDay,
        fc.integer({ min: 0, max: 200 }),
        (trackingPeriods, day, depth) => {
          const changed = withTrackingPeriod(trackingPeriods, day, depth);
          expect(trackedDepthOn(changed, addDays(day, -1))).toBe(
            trackedDepthOn(trackingPeriods, addDays(day, -1)),
          );
          expect(trackedDepthOn(changed, day)).toBe(depth);
          expect(trackedDepthOn(changed, addDays(day, 2_000))).toBe(depth);
        },
      ),
    );
  });
});

interface MarketDay {
  depth: number;
  seconds: number;
  /** Undefined: the market was searched, this listing was not tracked yet. */
  position: number | null | undefined;
}
type Model = Map<UtcDay, MarketDay>;

const marketDay = fc
  .record({
    depth: depths,
    seconds: fc.nat(90_000),
    position: fc.oneof(positions, fc.constant(undefined)),
  })
  .map((day): MarketDay => ({
    ...day,
    position: typeof day.position === 'number' && day.position > day.depth ? null : day.position,
  }));

/** A few keywords of one or two listings, and the results of the stores. */
const world = fc.record({
  from: someDay,
  count: fc.integer({ min: 1, max: 100 }),
  keywords: fc.array(
    fc.record({ listingId: fc.integer({ min: 1, max: 2 }), trackingPeriods: trackingPeriodLists }),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  results: fc.array(
    fc.tuple(fc.integer({ min: -40, max: 140 }), fc.integer({ min: 0, max: 3 }), marketDay),
    { maxLength: 60 },
  ),
});

function build({
  from,
  count,
  keywords: given,
  results,
}: typeof world extends fc.Arbitrary<infer T> ? T : never) {
  const keywords = given.map(({ listingId, trackingPeriods }, index) => ({
    id: index + 1,
    listingId,
    marketId: 10 + index,
    trackingPeriods,
  }));
  const models = new Map<number, Model>(keywords.map(({ id }) => [id, new Map()]));
  for (const [offset, index, day] of results)
    models.get((index % keywords.length) + 1)!.set(addDays(from, offset), day);
  const window = windowOf(from, addDays(from, count - 1));
  const { examined, ranked } = pack(keywords, models, monthsOf(window));
  const rows = visibleRows(window, keywords, ranked);
  return { keywords, models, window, examined, rows };
}

const monthsOf = (window: { parts: { month: UtcDay }[] }) => window.parts.map((part) => part.month);

function pack(
  keywords: { id: number; listingId: number; marketId: number }[],
  models: Map<number, Model>,
  months: UtcDay[],
) {
  const examined: MarketMonths[] = [];
  const ranked: RankMonths[] = [];
  for (const month of months) {
    const days = keywords.map(() => Buffer.alloc(124));
    const cells = keywords.map(() => Buffer.alloc(31));
    const beside = keywords.map(() => Buffer.alloc(31));
    for (const [index, keyword] of keywords.entries()) {
      for (const [day, check] of models.get(keyword.id)!) {
        if (monthOf(day) !== month) continue;
        encodeDay(check.depth, check.seconds).copy(days[index]!, dayIndexInMonth(day) * 4);
        if (check.position === undefined) continue;
        cells[index]![dayIndexInMonth(day)] = encodePosition(check.position);
        beside[index]![dayIndexInMonth(day)] = check.depth;
      }
    }
    examined.push({
      month,
      marketIds: packIds(keywords.map((keyword) => keyword.marketId)),
      days: Buffer.concat(days),
    });
    for (const listingId of new Set(keywords.map((keyword) => keyword.listingId))) {
      const own = keywords.flatMap((keyword, index) =>
        keyword.listingId === listingId ? [index] : [],
      );
      ranked.push({
        listingId,
        month,
        records: Buffer.concat(
          own.flatMap((index) => [
            packIds([keywords[index]!.marketId]),
            cells[index]!,
            beside[index]!,
          ]),
        ),
      });
    }
  }
  return { examined: new ExaminedDays(examined), ranked };
}

/** The rule in its slow form. */
function naiveDailyRank(
  keyword: { id: number; trackingPeriods: readonly TrackingPeriod[] },
  model: Model,
  date: UtcDay,
  hasGaps: boolean,
): DailyRank | null {
  const followed = trackedDepthOn(keyword.trackingPeriods, date);
  if (followed === null) return null;
  const check = model.get(date);
  if (followed > 0 && check && check.position !== undefined) {
    const position = check.position !== null && check.position <= followed ? check.position : null;
    const checkedAt = new Date(startOfDayMs(date) + check.seconds * 1_000).toISOString();
    return {
      date,
      keywordId: keyword.id,
      state: position === null ? 'not_found' : 'ranked',
      position,
      depth: Math.min(check.depth, followed),
      checkedAt,
      provider: 'itunes',
    };
  }
  return hasGaps
    ? {
        date,
        keywordId: keyword.id,
        state: 'not_checked',
        reason:
          followed === 0 && !isAwaitedOn(keyword.trackingPeriods, date) ? 'paused' : 'not_yet_run',
        fallback: null,
      }
    : null;
}

/** A keyword that was added on this day waits for its first check. */
function isAwaitedOn(trackingPeriods: readonly TrackingPeriod[], date: UtcDay): boolean {
  const last = trackingPeriods.findLast(([from]) => from <= date);
  return last !== undefined && last[0] === date && isAwaited(last);
}

describe('daily ranks that a workspace may see', () => {
  test('match the naive rule, with and without gaps, in pages of any size', () => {
    fc.assert(
      fc.property(world, fc.boolean(), fc.integer({ min: 1, max: 20 }), (given, hasGaps, limit) => {
        const { keywords, models, window, examined, rows } = build(given);
        const series = new ProviderSeries(
          keywords.map(({ listingId }) => ({
            of: listingId,
            fromDay: '2000-01-01',
            provider: 'itunes',
          })),
        );
        const expected = window.days
          .toReversed()
          .flatMap((day) =>
            keywords.flatMap(
              (keyword) => naiveDailyRank(keyword, models.get(keyword.id)!, day, hasGaps) ?? [],
            ),
          );
        const seen: DailyRank[] = [];
        let after: DailyRankCursor | null = null;
        for (let hasMore = true; hasMore;) {
          const page = listRankEntries(window.days, rows, { hasGaps, after, limit });
          const cells = toDailyRanks(window.days, page.entries, {
            results: new ResultCounts([]),
            examined,
            gaps: [],
            fallbacks: new Fallbacks([]),
            series,
          });
          expect(page.total).toBe(expected.length);
          expect(cells.length).toBeLessThanOrEqual(limit);
          seen.push(...cells);
          hasMore = page.hasMore;
          if (hasMore) after = readListCursor(writeListCursor(cells.at(-1)!));
        }
        expect(seen).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test('are the same in the matrix, with the JSON of JSON.stringify', () => {
    fc.assert(
      fc.property(world, (given) => {
        const { keywords, models, window, rows } = build(given);
        const cells = keywords.map((keyword) =>
          window.days.map((day) => naiveDailyRank(keyword, models.get(keyword.id)!, day, true)),
        );
        const segments = [{ from: window.from, provider: 'itunes' }];
        const expected = {
          dates: window.days,
          segments,
          rows: keywords.map(({ id }, index) => ({
            keywordId: id,
            cells: cells[index]!.map((cell) => (cell && 'position' in cell ? cell.position : '-')),
            depths: cells[index]!.map((cell) => (cell && 'depth' in cell ? cell.depth : null)),
          })),
        };
        expect(toMatrixJson(window.days, rows, segments).bytes.toString()).toBe(
          JSON.stringify(expected),
        );
      }),
      { numRuns: 100 },
    );
  });
});

describe('changes of positions', () => {
  const at = (position: number | null, depth: number) => ({ position, depth });

  test('count entries and exits only within the depth of both days', () => {
    expect(classifyChange(at(9, 100), at(4, 100))).toBe('gained');
    expect(classifyChange(at(4, 100), at(9, 100))).toBe('lost');
    expect(classifyChange(at(4, 100), at(4, 30))).toBe('same');
    expect(classifyChange(at(null, 100), at(60, 100))).toBe('entered');
    expect(classifyChange(at(60, 100), at(null, 100))).toBe('left');
    expect(classifyChange(at(null, 30), at(60, 100))).toBe('unknown');
    expect(classifyChange(at(60, 100), at(null, 30))).toBe('unknown');
    expect(classifyChange(at(null, 30), at(null, 100))).toBe('same');
  });

  /** Positions by days before today; a depth of 100 throughout. */
  function changesOf(ago: Record<number, number | null>) {
    const today = '2026-03-10';
    const window = windowOf(addDays(today, -70), today);
    const keyword = {
      id: 1,
      listingId: 1,
      marketId: 10,
      trackingPeriods: parseTrackingPeriods([['2025-01-01', 100]]),
    };
    const model: Model = new Map(
      Object.entries(ago).map(([days, position]) => [
        addDays(today, -Number(days)),
        { depth: 100, seconds: 0, position },
      ]),
    );
    const { ranked } = pack([keyword], new Map([[1, model]]), monthsOf(window));
    const rows = visibleRows(window, [keyword], ranked);
    return rankChanges(rows[0]!, window.days);
  }

  test('compare with a day, a week and a month before, or say it was not checked', () => {
    const exact = changesOf({ 0: 5, 1: 8, 7: 3, 30: null });
    expect(exact.change1d).toEqual({
      positionsGained: 3,
      from: { date: '2026-03-09', position: 8, depth: 100 },
      kind: 'gained',
    });
    expect(exact.change7d).toMatchObject({ positionsGained: -2, kind: 'lost' });
    expect(exact.change30d).toEqual({
      positionsGained: null,
      from: { date: '2026-02-08', position: null, depth: 100 },
      kind: 'entered',
    });
    expect(changesOf({ 0: 5, 3: 8 }).change1d).toMatchObject({
      positionsGained: 3,
      from: { date: '2026-03-07' },
    });
    expect(changesOf({ 0: 5, 4: 8 }).change1d).toEqual({
      positionsGained: null,
      from: null,
      kind: 'unknown',
    });
    expect(changesOf({ 0: 5, 8: 8 }).change7d).toMatchObject({ positionsGained: 3 });
    expect(changesOf({ 0: 5, 6: 8 }).change7d).toMatchObject({ positionsGained: 3 });
    expect(changesOf({ 0: 5, 9: 8 }).change7d).toMatchObject({ kind: 'unknown' });
    expect(changesOf({ 0: 5, 33: 8 }).change30d).toMatchObject({ positionsGained: 3 });
    expect(changesOf({ 0: 5, 28: 9, 29: 7 }).change30d).toMatchObject({ positionsGained: 2 });
    expect(changesOf({ 0: 5, 34: 8 }).change30d).toMatchObject({ kind: 'unknown' });
    expect(changesOf({}).change1d).toEqual({ positionsGained: null, from: null, kind: 'unknown' });
    expect(changesOf({ 2: null, 3: 8 }).change1d).toMatchObject({
      positionsGained: null,
      kind: 'left',
    });
  });
});

describe('the requested days', () => {
  const now = new Date('2026-11-21T12:00:00Z');

  test('are the last thirty by default, at most ten years, in order, and not in the future', () => {
    expect(parseDayRange({}, now)).toEqual({ from: '2026-10-23', to: '2026-11-21' });
    expect(parseDayRange({ to: '2026-03-01' }, now)).toEqual({
      from: '2026-01-31',
      to: '2026-03-01',
    });
    expect(parseDayRange({ from: '2026-11-20', to: '2027-01-01' }, now)).toEqual({
      from: '2026-11-20',
      to: '2026-11-21',
    });
    expect(parseDayRange({ from: '2016-11-14' }, now)).toEqual({
      from: '2016-11-14',
      to: '2026-11-21',
    });
    expect(() => parseDayRange({ from: '2016-11-13' }, now)).toThrow(/3660 days/);
    expect(parseDayRange({ from: '2025-10-18' }, now, 400).from).toBe('2025-10-18');
    expect(() => parseDayRange({ from: '2025-10-17' }, now, 400)).toThrow(/400 days/);
    expect(() => parseDayRange({ from: '2026-11-02', to: '2026-11-01' }, now)).toThrow(
      /must not be after/,
    );
  });

  test('are in their months, with leap days and ends of years', () => {
    expect(windowOf('2027-12-30', '2028-03-01').parts).toEqual([
      { month: '2027-12-01', firstInMonth: 29, firstInWindow: 0, count: 2 },
      { month: '2028-01-01', firstInMonth: 0, firstInWindow: 2, count: 31 },
      { month: '2028-02-01', firstInMonth: 0, firstInWindow: 33, count: 29 },
      { month: '2028-03-01', firstInMonth: 0, firstInWindow: 62, count: 1 },
    ]);
    expect(windowOf('2026-01-02', '2026-01-01').days).toEqual([]);
    fc.assert(
      fc.property(someDay, fc.integer({ min: 0, max: 420 }), (from, count) => {
        expect(windowOf(from, addDays(from, count - 1)).days).toEqual(
          listDays(from, addDays(from, count - 1)),
        );
      }),
    );
  });
});

test('a cursor of another list is refused', () => {
  for (const wrong of [
    'x',
    'AAAA',
    Buffer.from('2026-02-30.4').toString('base64url'),
    Buffer.from('0000-01-01.4').toString('base64url'),
    Buffer.from('2026-01-01.0').toString('base64url'),
    `${writeListCursor({ date: '2026-01-01', keywordId: 7 })}-`,
  ]) {
    expect(() => readListCursor(wrong)).toThrow(
      expect.objectContaining({ code: 'invalid_cursor' }) as Error,
    );
  }
});
