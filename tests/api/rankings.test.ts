import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCsv } from '#lib/csv-reader.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, hasReason, type History } from '../harness/history.ts';
import {
  insertDailyRank,
  insertImportedRanks,
  insertSerp,
  setLatestDailyRank,
} from './competitors.fixtures.ts';
import { readWithOtherProvider } from './keywords.fixtures.ts';

const lastDay = '2026-11-21';
const range = { from: addDays(lastDay, -44), to: lastDay };

let api: TestApi;
let ann: Account;
let ben: Account;
let past: History;
let foreign: History;

beforeAll(async () => {
  api = await startApi();
  [ann, ben] = [await api.signUp(), await api.signUp()];
  past = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 2,
    markets: 30,
    days: 45,
    lastDay,
    gapShare: 0.1,
  });
  foreign = await seedHistory(api.db.pool, {
    workspaceId: ben.workspaceId,
    apps: 1,
    markets: 5,
    days: 10,
    lastDay,
  });
});
afterAll(() => api.close());

const ownKeywords = () => past.keywords.filter((keyword) => keyword.appId === past.appIds[0]);

describe('the rankings of an app', () => {
  test.each([{}, { fill: 'gaps' as const }])(
    'are returned once each over all pages, newest first, with the total %o',
    async (fill) => {
      const expected = listDays(range.from, range.to)
        .toReversed()
        .flatMap((day) =>
          ownKeywords().flatMap((keyword): object[] => {
            const truth = past.groundTruthOf(keyword, day);
            if (truth)
              return [
                { date: day, keywordId: keyword.id, position: truth.position, depth: truth.depth },
              ];
            return fill.fill
              ? [
                  {
                    date: day,
                    keywordId: keyword.id,
                    reason: hasReason(keyword, day) ? 'store_error' : 'not_yet_run',
                  },
                ]
              : [];
          }),
        );
      const seen: object[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.ok(
          'GET /apps/{id}/rankings',
          {
            params: { id: past.appIds[0]! },
            query: { ...range, ...fill, limit: 97, ...(cursor && { cursor }) },
          },
          ann,
        );
        expect(page.total).toBe(expected.length);
        seen.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toHaveLength(expected.length);
      expect(seen).toMatchObject(expected);
    },
  );

  test('filter by country, keyword and tag', async () => {
    const keyword = ownKeywords()[3]!;
    await api.db.pool.query(`update keywords set tags = '{brand}' where id = $1`, [keyword.id]);
    const { rows } = await api.db.pool.query('select country from markets where id = $1', [
      keyword.marketId,
    ]);
    const read = (query: object) =>
      api.ok(
        'GET /apps/{id}/rankings',
        { params: { id: past.appIds[0]! }, query: { limit: 500, ...query } },
        ann,
      );
    const ids = async (query: object) =>
      new Set((await read(query)).items.map((cell) => cell.keywordId));
    expect(await ids({ keywordIds: String(keyword.id) })).toEqual(new Set([keyword.id]));
    expect(await ids({ tag: 'brand' })).toEqual(new Set([keyword.id]));
    expect((await ids({ country: rows[0].country })).has(keyword.id)).toBe(true);
    expect(await ids({ country: 'zz' })).toEqual(new Set());
    expect(await ids({ keywordIds: String(foreign.keywords[0]!.id) })).toEqual(new Set());
  });

  test('refuse invalid days and cursors of another list', async () => {
    const status = async (query: object) =>
      (await api.call('GET /apps/{id}/rankings', { params: { id: past.appIds[0]! }, query }, ann))
        .status;
    expect(await status({ from: '2026-11-02', to: '2026-11-01' })).toBe(400);
    expect(await status({ from: '2025-01-01' })).toBe(400);
    expect(await status({ from: '2026-02-30' })).toBe(400);
    const response = await api.call(
      'GET /apps/{id}/rankings',
      { params: { id: past.appIds[0]! }, query: { cursor: 'abc' } },
      ann,
    );
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });
});

describe('a position that was not found', () => {
  test('is null with the searched depth in every route, and never 0', async () => {
    const id = past.appIds[0]!;
    const keyword = ownKeywords().find(
      (candidate) => past.groundTruthOf(candidate, lastDay)?.position === null,
    )!;
    const responses = await Promise.all([
      api.call(
        'GET /apps/{id}/rankings',
        { params: { id }, query: { ...range, limit: 500, fill: 'gaps' } },
        ann,
      ),
      api.call(
        'GET /keywords/{keywordId}/rankings',
        { params: { keywordId: keyword.id }, query: range },
        ann,
      ),
      api.call('GET /apps/{id}/rankings/movers', { params: { id }, query: range }, ann),
      api.call(
        'GET /apps/{id}/rankings/compare',
        { params: { id }, query: { a: addDays(lastDay, -20), b: lastDay } },
        ann,
      ),
      api.call('GET /rankings/latest', { query: { limit: 500 } }, ann),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(response.text).toContain('"position":null,"depth":');
      expect(response.text).not.toMatch(/"position":(0|null(?!,"depth":[1-9]))/);
      expect(response.text).not.toMatch(/"depth":(0|null)/);
    }
    const matrix = await api.call(
      'GET /apps/{id}/rankings/matrix',
      { params: { id }, query: range },
      ann,
    );
    for (const row of matrix.body.rows as {
      cells: (number | null | '-')[];
      depths: (number | null)[];
    }[]) {
      row.cells.forEach((cell, index) => {
        expect(cell).not.toBe(0);
        expect(row.depths[index] === null).toBe(cell === '-');
      });
    }
  });
});

test('an imported day has no number of results: only others searched its market', async () => {
  const me = await api.signUp();
  const own = await seedHistory(api.db.pool, {
    workspaceId: me.workspaceId,
    apps: 1,
    markets: 1,
    days: 1,
    lastDay,
  });
  const [keyword, id] = [own.keywords[0]!, own.appIds[0]!];
  const day = addDays(lastDay, -10);
  await insertImportedRanks(api, keyword.id, [null], day);
  await insertDailyRank(api, { ...keyword, day: lastDay }, { position: 3 });
  await insertSerp(api, keyword.marketId, day, [], { resultCount: 37, ended: 'exhausted' });
  const params = { id };
  const imported = { date: day, position: null, depth: 200 };
  const query = { from: day, to: lastDay };
  const { items } = await api.ok('GET /apps/{id}/rankings', { params, query }, me);
  expect(items.at(-1)).toMatchObject(imported);
  expect(items.at(-1)).not.toHaveProperty('resultCount');
  const days = { a: day, b: lastDay };
  const compared = await api.ok('GET /apps/{id}/rankings/compare', { params, query: days }, me);
  expect(compared.items[0]!.a).toEqual(imported);
  const movers = await api.ok('GET /apps/{id}/rankings/movers', { params, query }, me);
  expect(movers.entered[0]!.from).toEqual(imported);
});

test('imported positions keep their provider, in the history and as the newest', async () => {
  const me = await api.signUp();
  const own = await seedHistory(api.db.pool, {
    workspaceId: me.workspaceId,
    apps: 1,
    markets: 1,
    days: 1,
    lastDay,
    fill: 'none',
  });
  const keyword = own.keywords[0]!;
  const params = { keywordId: keyword.id };
  const nameProvider = (provider: string, until: string) =>
    api.db.pool.query(
      'update imported_daily_ranks set provider = $2 where keyword_id = $1 and on_date <= $3',
      [keyword.id, provider, until],
    );
  const segments = async () => {
    const query = { from: addDays(lastDay, -20), to: lastDay };
    const read = await api.ok('GET /keywords/{keywordId}/rankings', { params, query }, me);
    return read.segments.map(({ from, provider }) => [from, provider]);
  };
  const latest = async () => {
    const { items } = await api.ok('GET /rankings/latest', { query: {} }, me);
    const { latest: own } = await api.ok('GET /keywords/{keywordId}', { params }, me);
    expect(items[0]!.latest).toEqual(own);
    const csv = await api.raw(`/apps/${keyword.appId}/exports/keywords?format=csv`, {}, me);
    const [head, row] = readCsv(csv.text);
    expect(row![head!.indexOf('latestProvider')]).toBe(own!.provider ?? '');
    return own!.provider;
  };
  const imported = addDays(lastDay, -5);
  await insertImportedRanks(api, keyword.id, [4, 5, 6, null, 7], imported);
  await setLatestDailyRank(api, keyword.id, imported, 7);
  await api.db.pool.query('update keywords set created_at = $2 where id = $1', [
    keyword.id,
    `${lastDay}T10:00:00Z`,
  ]);
  expect([await latest(), await segments()]).toEqual([null, [[addDays(lastDay, -20), 'itunes']]]);
  await nameProvider('web', imported);
  expect([await latest(), await segments()]).toEqual(['web', [[addDays(lastDay, -20), 'web']]]);
  await nameProvider('mzstore', addDays(lastDay, -8));
  await insertDailyRank(api, { ...keyword, day: lastDay }, { position: 3 });
  await setLatestDailyRank(api, keyword.id, lastDay, 3);
  expect(await latest()).toBe('itunes');
  expect(await segments()).toEqual([
    [addDays(lastDay, -20), 'mzstore'],
    [addDays(lastDay, -7), 'web'],
    [lastDay, 'itunes'],
  ]);
});

describe('the matrix of chosen keywords', () => {
  const read = (query: Record<string, string>, who = ann) =>
    api.call(
      'GET /apps/{id}/rankings/matrix',
      { params: { id: past.appIds[0]! }, query: { ...range, ...query } },
      who,
    );

  test('has exactly their rows, as in the whole matrix', async () => {
    const whole = await api.ok(
      'GET /apps/{id}/rankings/matrix',
      { params: { id: past.appIds[0]! }, query: range },
      ann,
    );
    const chosen = [ownKeywords()[4]!.id, ownKeywords()[2]!.id];
    const { body } = await read({ keywordIds: [...chosen, chosen[0]].join(',') });
    expect(body).toEqual({
      ...whole,
      rows: whole.rows.filter((row) => chosen.includes(row.keywordId)),
    });
    expect(body.rows).toHaveLength(2);
    expect((await read({ keywordIds: String(chosen[0]), country: 'zz' })).body.rows).toEqual([]);
  });

  test('has no row for another workspace’s, another app’s or unknown keywords', async () => {
    const others = past.keywords
      .filter((keyword) => keyword.appId === past.appIds[1])
      .map((keyword) => keyword.id);
    for (const id of [foreign.keywords[0]!.id, others[0]!, 2_000_000_000, 9_999_999_999, 0]) {
      const { status, body } = await read({ keywordIds: String(id) });
      expect([id, status, body.rows]).toEqual([id, 200, []]);
    }
    expect((await read({ keywordIds: String(ownKeywords()[0]!.id) }, ben)).status).toBe(404);
  });

  test.each([
    ['nothing', ''],
    ['a word', 'x'],
    ['an extra comma', '1,'],
    ['a fraction', '1.5'],
    ['10,000 characters', '1'.repeat(10_000)],
    ['101 ids', Array(101).fill('1').join(',')],
  ])('is refused for %s', async (_name, keywordIds) => {
    expect(await read({ keywordIds })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ path: 'query.keywordIds' }] },
    });
  });

  test('accepts 100 keywords', async () => {
    expect(await read({ keywordIds: Array(100).fill('2147483647').join(',') })).toMatchObject({
      status: 200,
    });
  });
});

test('matrix and distribution agree with the daily ranks', async () => {
  const id = past.appIds[1]!;
  const keywords = past.keywords.filter((keyword) => keyword.appId === id);
  const days = listDays(range.from, range.to);
  const matrix = await api.ok(
    'GET /apps/{id}/rankings/matrix',
    { params: { id }, query: range },
    ann,
  );
  expect(matrix.dates).toEqual(days);
  expect(matrix.rows).toEqual(
    keywords.map((keyword) => {
      const truths = days.map((day) => past.groundTruthOf(keyword, day));
      return {
        keywordId: keyword.id,
        cells: truths.map((truth) => (truth ? truth.position : '-')),
        depths: truths.map((truth) => truth?.depth ?? null),
      };
    }),
  );
  const distribution = await api.ok(
    'GET /apps/{id}/rankings/distribution',
    { params: { id }, query: range },
    ann,
  );
  expect(distribution.items.map((day) => day.date)).toEqual(days);
  for (const [index, day] of distribution.items.entries()) {
    const column = matrix.rows.map((row) => row.cells[index]);
    const within = (from: number, to: number) =>
      column.filter((cell) => typeof cell === 'number' && cell >= from && cell <= to).length;
    expect(day).toMatchObject({
      top1: within(1, 1),
      top2to3: within(2, 3),
      top4to10: within(4, 10),
      top11to50: within(11, 50),
      top51to100: within(51, 100),
      top101toDepth: within(101, 200),
      notFound: column.filter((cell) => cell === null).length,
      notChecked: column.filter((cell) => cell === '-').length,
    });
    const changed = keywords.map((keyword) => {
      const [now, before] = [
        past.groundTruthOf(keyword, day.date),
        [1, 2, 3]
          .map((ago) => past.groundTruthOf(keyword, addDays(day.date, -ago)))
          .find((truth, ago) => truth && addDays(day.date, -ago - 1) >= past.days[0]!),
      ];
      if (!now || !before) return null;
      if (before.position === null && now.position !== null && now.position <= before.depth)
        return 'entered';
      return before.position !== null && now.position === null && before.position <= now.depth
        ? 'left'
        : null;
    });
    expect({ entered: day.entered, left: day.left }).toEqual({
      entered: changed.filter((kind) => kind === 'entered').length,
      left: changed.filter((kind) => kind === 'left').length,
    });
  }
});

test('the distribution counts paused keywords and those over the limit apart', async () => {
  const me = await api.signUp();
  const own = await seedHistory(api.db.pool, {
    workspaceId: me.workspaceId,
    apps: 1,
    markets: 10,
    days: 10,
    lastDay,
  });
  const since = addDays(lastDay, -3);
  for (const [index, depth] of [0, -1].entries())
    await api.db.pool.query(
      'update keywords set tracking_periods = tracking_periods || $2::jsonb where id = $1',
      [own.keywords[index]!.id, JSON.stringify([[since, depth]])],
    );
  const { items } = await api.ok(
    'GET /apps/{id}/rankings/distribution',
    { params: { id: own.appIds[0]! }, query: { from: addDays(lastDay, -10), to: lastDay } },
    me,
  );
  for (const { date, notChecked, notTracked, ...day } of items) {
    const { top1, top2to3, top4to10, top11to50, top51to100, top101toDepth, notFound } = day;
    const checked = top1 + top2to3 + top4to10 + top11to50 + top51to100 + top101toDepth + notFound;
    const expected = date < own.days[0]! ? [0, 0, 0] : date < since ? [10, 0, 0] : [8, 0, 2];
    expect([date, checked, notChecked, notTracked]).toEqual([date, ...expected]);
  }
});

test('the days of another search provider are named, and no move crosses them', async () => {
  const params = { id: past.appIds[0]! };
  const switched = addDays(lastDay, -5);
  const segments = [
    { from: range.from, provider: 'itunes' },
    { from: switched, provider: 'other' },
  ];
  const movers = (query: { from: string; to: string }) =>
    api.ok('GET /apps/{id}/rankings/movers', { params, query }, ann);
  const week = { from: addDays(lastDay, -7), to: lastDay };
  const before = await movers(week);
  expect([before.notComparable, before.segments]).toEqual([
    0,
    [{ from: addDays(week.from, -3), provider: 'itunes' }],
  ]);
  expect(before.compared).toBeGreaterThan(10);
  await readWithOtherProvider(api, switched, async () => {
    for (const key of [
      'GET /apps/{id}/rankings/matrix',
      'GET /apps/{id}/rankings/distribution',
    ] as const)
      expect((await api.ok(key, { params, query: range }, ann)).segments).toEqual(segments);
    expect(await movers(week)).toEqual({
      ...week,
      gained: [],
      lost: [],
      entered: [],
      left: [],
      compared: 0,
      notComparable: before.compared,
      segments: [{ from: addDays(week.from, -3), provider: 'itunes' }, segments[1]],
    });
    expect((await movers({ from: switched, to: lastDay })).compared).toBeGreaterThan(0);
    const { totals } = await api.ok(
      'GET /apps/{id}/rankings/compare',
      { params, query: { a: addDays(switched, -1), b: switched } },
      ann,
    );
    expect(totals.checkedOnBoth).toBeGreaterThan(0);
    expect(totals.top10).toEqual({ change: 0, keywords: 0 });
  });
});

test('movers and the comparison of two days agree', async () => {
  const id = past.appIds[0]!;
  const [a, b] = [addDays(lastDay, -20), lastDay];
  const compared = await api.ok(
    'GET /apps/{id}/rankings/compare',
    { params: { id }, query: { a, b } },
    ann,
  );
  const movers = await api.ok(
    'GET /apps/{id}/rankings/movers',
    { params: { id }, query: { from: a, to: b } },
    ann,
  );
  expect(compared.items).toHaveLength(ownKeywords().length);
  const both = compared.items.flatMap((row) => (row.a && row.b ? [{ a: row.a, b: row.b }] : []));
  const known = both.filter((row) =>
    [row.a, row.b].every(({ position, depth }) => position !== null || depth >= 10),
  );
  const countTop10 = (day: 'a' | 'b') => known.filter((row) => (row[day].position ?? 99) <= 10);
  const moves = compared.items.flatMap(({ delta }) => delta ?? []);
  expect(known.length).toBeGreaterThan(0);
  expect(compared.totals).toMatchObject({
    checkedOnBoth: both.length,
    top10: {
      change: countTop10('b').length - countTop10('a').length,
      keywords: known.length,
    },
    averagePosition: {
      change: moves.reduce((sum, move) => sum + move, 0) / moves.length,
      keywords: moves.length,
    },
  });
  const whole = await api.ok(
    'GET /apps/{id}/rankings/compare',
    { params: { id }, query: { a, b, limit: 5_000 } },
    ann,
  );
  expect(whole).toEqual(compared);
  const larger = `/apps/${id}/rankings/compare?a=${a}&b=${b}&limit=5001`;
  expect((await api.raw(larger, {}, ann)).status).toBe(400);
  const page = await api.ok(
    'GET /apps/{id}/rankings/compare',
    { params: { id }, query: { a, b, limit: 1 } },
    ann,
  );
  expect([page.items.length, page.totals, page.total]).toEqual([
    1,
    compared.totals,
    compared.items.length,
  ]);
  for (const row of compared.items) {
    if (!row.a || !row.b) continue;
    const mover = [...movers.gained, ...movers.lost, ...movers.entered, ...movers.left].find(
      (candidate) => candidate.keywordId === row.keywordId,
    );
    const isEntry =
      row.a.position === null && row.b.position !== null && row.b.position <= row.a.depth;
    const isLoss =
      row.b.position === null && row.a.position !== null && row.a.position <= row.b.depth;
    expect(mover !== undefined).toBe(isEntry || isLoss || (row.delta !== null && row.delta !== 0));
    if (mover)
      expect({ from: mover.from, to: mover.to, change: mover.change }).toEqual({
        from: row.a,
        to: row.b,
        change: row.delta,
      });
  }
  expect(movers.gained.map((row) => row.change)).toEqual(
    movers.gained.map((row) => row.change).toSorted((x, y) => y! - x!),
  );
});

test('the newest positions are returned once each, only for the requested apps', async () => {
  const seen: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.ok(
      'GET /rankings/latest',
      { query: { limit: 7, ...(cursor && { cursor }) } },
      ann,
    );
    expect(page.total).toBe(past.keywords.length);
    for (const row of page.items) {
      const keyword = past.keywords.find((candidate) => candidate.id === row.keywordId)!;
      const { position, depth } = past.groundTruthOf(keyword, row.latest!.date)!;
      expect(row.latest).toMatchObject({
        position,
        depth,
        state: position === null ? 'not_found' : 'ranked',
      });
    }
    seen.push(...page.items.map((row) => row.keywordId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(past.keywords.map((keyword) => keyword.id));
  const own = await api.ok(
    'GET /rankings/latest',
    { query: { appIds: `${past.appIds[1]!},${foreign.appIds[0]!},4294967295` } },
    ann,
  );
  expect(new Set(own.items.map((row) => row.appId))).toEqual(new Set([past.appIds[1]]));
});

describe('a market shared with another workspace', () => {
  test('shows nothing from before tracking, during a pause, or deeper than tracked', async () => {
    const shared = ownKeywords().find(
      (keyword) => (past.groundTruthOf(keyword, lastDay)?.position ?? 0) > 12,
    )!;
    const [since, until, again] = [
      addDays(lastDay, -20),
      addDays(lastDay, -10),
      addDays(lastDay, -5),
    ];
    const trackingPeriods = JSON.stringify([
      [since, 100],
      [until, 0],
      [again, 10],
    ]);
    const { rows: apps } = await api.db.pool.query(
      'insert into apps (workspace_id, listing_id, primary_country, created_at) values ($1, ' +
        `$2, 'us', now()) returning id`,
      [ben.workspaceId, shared.listingId],
    );
    const { rows } = await api.db.pool.query(
      `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
         tracking_periods, created_at)
       select $1, $2, id, country, device, phrase, 10, $4, now() from markets where id = $3
       returning id`,
      [ben.workspaceId, apps[0].id, shared.marketId, trackingPeriods],
    );
    const { items } = await api.ok(
      'GET /keywords/{keywordId}/rankings',
      { params: { keywordId: rows[0].id }, query: { ...range, fill: 'gaps' } },
      ben,
    );
    expect(items.at(-1)!.date).toBe(since);
    for (const cell of items) {
      const followed = cell.date >= again ? 10 : cell.date >= until ? 0 : 100;
      const truth = past.groundTruthOf(shared, cell.date);
      if (followed === 0) expect(cell).toMatchObject({ state: 'not_checked', reason: 'paused' });
      else if (!truth) expect(cell).toMatchObject({ state: 'not_checked' });
      else
        expect(cell).toMatchObject({
          position: truth.position !== null && truth.position <= followed ? truth.position : null,
          depth: Math.min(truth.depth, followed),
        });
    }
    expect(items.find((cell) => cell.date === lastDay)).toMatchObject({
      state: 'not_found',
      position: null,
      depth: 10,
    });
  });

  test('returns the same 404 for another workspace’s app and keyword as for none', async () => {
    const foreignApp = { params: { id: foreign.appIds[0]! } };
    const absentApp = { params: { id: 2_000_000_000 } };
    for (const key of [
      'GET /apps/{id}/rankings',
      'GET /apps/{id}/rankings/matrix',
      'GET /apps/{id}/rankings/movers',
      'GET /apps/{id}/rankings/distribution',
      'GET /apps/{id}/overview',
      'GET /apps/{id}/markets',
    ] as const) {
      const [mine, none] = [
        await api.call(key, foreignApp, ann),
        await api.call(key, absentApp, ann),
      ];
      expect([mine.status, none.status]).toEqual([404, 404]);
      expect(mine.text.replace(`/apps/${foreign.appIds[0]}`, '/apps/2000000000')).toBe(none.text);
      expect((await api.call(key, foreignApp, ben)).status).toBe(200);
    }
    expect(
      (
        await api.call(
          'GET /apps/{id}/rankings/compare',
          { ...foreignApp, query: { a: lastDay, b: lastDay } },
          ann,
        )
      ).status,
    ).toBe(404);
    expect(
      (
        await api.call(
          'GET /keywords/{keywordId}/rankings',
          { params: { keywordId: foreign.keywords[0]!.id } },
          ann,
        )
      ).status,
    ).toBe(404);
  });

  test('an app after its purge date is not found', async () => {
    await api.db.pool.query(`update apps set archived_at = now(), purge_at = $2 where id = $1`, [
      foreign.appIds[0],
      '2026-11-21T11:59:59Z',
    ]);
    expect(
      (await api.call('GET /apps/{id}/rankings', { params: { id: foreign.appIds[0]! } }, ben))
        .status,
    ).toBe(404);
    await api.db.pool.query(`update apps set purge_at = $2 where id = $1`, [
      foreign.appIds[0],
      '2026-12-01T00:00:00Z',
    ]);
    expect(
      (await api.call('GET /apps/{id}/rankings', { params: { id: foreign.appIds[0]! } }, ben))
        .status,
    ).toBe(200);
  });
});

test('listing changes appear with the rankings from the second day on', async () => {
  const keyword = ownKeywords()[0]!;
  const { rows } = await api.db.pool.query('select country from markets where id = $1', [
    keyword.marketId,
  ]);
  const fields = {
    name: 'One',
    subtitle: null,
    description: 'a',
    iconUrl: null,
    screenshotUrls: [],
    languages: [],
    version: '1.0',
    sizeBytes: null,
  };
  const insert = (day: string, change: object) =>
    api.db.pool.query(
      'insert into snapshots (listing_id, country, taken_at, content_hash, fields) values ' +
        `($1, $2, $3, '', $4)`,
      [
        keyword.listingId,
        rows[0].country,
        `${day}T04:00:00Z`,
        JSON.stringify({ ...fields, ...change }),
      ],
    );
  const day = (offset: number) => addDays(past.days[0]!, offset);
  await insert(day(-3), { version: '0.9' });
  await insert(day(0), {});
  await insert(day(4), { version: '1.1' });
  await insert(day(9), { version: '1.1', name: 'Two', description: 'b' });
  const { annotations } = await api.ok(
    'GET /keywords/{keywordId}/rankings',
    { params: { keywordId: keyword.id }, query: range },
    ann,
  );
  expect(annotations).toEqual([
    { date: day(9), kind: 'metadata', text: 'Changed: name “Two”, description' },
    { date: day(4), kind: 'version', text: 'Version 1.1' },
  ]);
  const later = await api.ok(
    'GET /keywords/{keywordId}/rankings',
    { params: { keywordId: keyword.id }, query: { from: day(6), to: lastDay } },
    ann,
  );
  expect(later.annotations.map((annotation) => annotation.date)).toEqual([day(9)]);
});

test('the first days that a request can name have no checks', async () => {
  const params = { keywordId: ownKeywords()[0]!.id };
  const ranks = await api.ok(
    'GET /keywords/{keywordId}/rankings',
    { params, query: { to: '2000-01-10' } },
    ann,
  );
  expect(ranks.items).toEqual([]);
  const query = { from: '2000-01-01', to: '2000-01-10' };
  const { items } = await api.ok(
    'GET /apps/{id}/timeline',
    { params: { id: past.appIds[0]! }, query },
    ann,
  );
  expect(items).toEqual([]);
});

test.each(['Pacific/Kiritimati', 'America/St_Johns'])(
  'a process in %s returns the same days',
  async (zone) => {
    const id = past.appIds[0]!;
    const script = `
    const root = ${JSON.stringify(new URL('../../', import.meta.url).href)};
    const { openDatabase } = await import(root + 'src/db/database.ts');
    const { openPool } = await import(root + 'src/db/pool.ts');
    const { silentLogger } = await import(root + 'src/lib/logger.ts');
    const { readerOf } = await import(root + 'tests/harness/history.ts');
    const { getAppRankings } =
      await import(root + 'src/domain/tracking/rankings/get-app-rankings.ts');
    const pool = openPool({ url: ${JSON.stringify(api.db.url)}, role: 'app', max: 1,
      statementTimeoutMs: 10_000, log: silentLogger });
    const db = openDatabase(pool);
    const read = (now) => {
      const ctx = readerOf({ appDb: db, systemDb: db }, ${ann.workspaceId}, now);
      return getAppRankings(ctx, ${id}, { limit: 500 });
    };
    const first = await read('2026-11-21T00:00:01Z');
    console.log(JSON.stringify([first, await read('2026-11-21T23:59:59Z')]));
    await pool.end();`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      {
        env: { ...process.env, TZ: zone, NODE_OPTIONS: '' },
        maxBuffer: 1e7,
      },
    );
    const here = await api.ok(
      'GET /apps/{id}/rankings',
      { params: { id }, query: { limit: 500 } },
      ann,
    );
    expect(JSON.parse(stdout)).toEqual([here, here]);
  },
);
