import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallOutput } from '#client/http.ts';
import { imageIdentityOf } from '#domain/base/ports.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { scoreMarket } from './actions.fixtures.ts';
import { insertApp, readWithOtherProvider, recordMarketSearch } from './keywords.fixtures.ts';
import { openReport, secretOf } from './reports.fixtures.ts';

type Content = CallOutput<'POST /reports/open'>;
type Row = NonNullable<Content['comparison']>['keywords'][number];

const today = '2026-11-21';
const start = addDays(today, -40);
const noon = (day: string) => `${day}T12:00:00.000Z`;
const marker = 'marker-of-the-workspace';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The content of a new report. */
async function read(me: Account, appId: number, choice: object = {}): Promise<Content> {
  const body = { appId, name: 'November', ...choice };
  const { url } = await api.ok('POST /reports', { body }, me);
  const { status, body: content } = await openReport(api, secretOf(url));
  expect(status).toBe(200);
  return content as Content;
}

const comparisonOf = async (...given: Parameters<typeof read>) =>
  (await read(...given)).comparison!;

/** A run of a day, as the scheduler leaves it. */
const insertRun = (day: string, state: 'running' | 'finished' | 'overdue' | 'degraded') =>
  api.db.pool.query(
    `insert into runs (date, opened_at, state, finished_at)
     values ($1, $2, $3, case when $3 in ('finished', 'overdue') then $2::timestamptz end)
     on conflict (date) do update set state = excluded.state, finished_at = excluded.finished_at`,
    [day, noon(day), state],
  );

interface Tracked {
  me: Account;
  appId: number;
  /** A check of a day; a position of null is not found among `results`. */
  check(market: string, day: string, position: number | null, results?: number): Promise<void>;
}

let tracked = 0;

/** An app with keywords that are tracked since a day; a market is `phrase country device`. */
async function track(markets: readonly string[], since = start): Promise<Tracked> {
  api.clock.set(noon(since));
  const early = await api.signUp();
  const app = await insertApp(api, early);
  const prefix = `p${(tracked += 1)} `;
  const keywords = markets.map((market) => {
    const [phrase, country, device] = market.split(' ') as [string, string, string];
    return { phrase: prefix + phrase, country, device };
  });
  if (keywords.length > 0)
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { keywords: keywords } },
      early,
    );
  const { rows } = await api.db.pool.query(
    `select market_id as "marketId", phrase || ' ' || country || ' ' || device as market
     from keywords where app_id = $1`,
    [app.id],
  );
  expect(rows).toHaveLength(markets.length);
  api.clock.set(noon(today));
  return {
    // The session of that day is over.
    me: await api.signUp({ workspaceId: early.workspaceId }),
    appId: app.id,
    check: (market, day, position, results = 90) => {
      const { marketId } = rows.find((row) => row.market === prefix + market)!;
      const listingIds = Array.from({ length: results }, (_, index) => 1_000_000 + index);
      if (position !== null) listingIds[position - 1] = app.listingId;
      return recordMarketSearch(api, { marketId, listingIds, at: noon(day) });
    },
  };
}

const shortNameOf = ({ phrase, country, device }: Row) =>
  `${phrase.split(' ')[1]} ${country} ${device}`;

describe('a report of an app', () => {
  const before = addDays(today, -30);
  const checks: [string, number | null | undefined, number | null | undefined][] = [
    ['alpha us iphone', 5, 2],
    ['beta us iphone', 8, 60],
    ['gamma us iphone', null, 12],
    ['delta us iphone', 30, null],
    ['epsilon us iphone', undefined, 2],
    ['zeta us iphone', 4, undefined],
    ['eta de iphone', 1, 1],
    ['theta us ipad', 3, 1],
  ];
  let mine: Tracked;
  beforeAll(async () => {
    mine = await track(checks.map(([market]) => market));
    for (const [market, from, to] of checks) {
      if (from !== undefined) await mine.check(market, before, from, from === null ? 37 : 90);
      if (to !== undefined) await mine.check(market, today, to);
    }
    await insertRun(today, 'finished');
  });
  const rank = (date: string, position: number | null, resultCount?: number) => ({
    date,
    position,
    depth: 200,
    ...(resultCount !== undefined && { resultCount }),
  });

  test('has the positions of both days and their change, the best first', async () => {
    const { name, app, days, comparison } = await read(mine.me, mine.appId);
    expect([name, app, days]).toEqual([
      'November',
      { name: 'App', developer: null, store: 'ios', icon: null },
      30,
    ]);
    const { keywords, ...rest } = comparison!;
    expect(keywords.map((row) => [shortNameOf(row), row.from, row.to, row.change])).toEqual([
      ['eta de iphone', rank(before, 1), rank(today, 1), 0],
      ['theta us ipad', rank(before, 3), rank(today, 1), 2],
      ['alpha us iphone', rank(before, 5), rank(today, 2), 3],
      ['epsilon us iphone', null, rank(today, 2), null],
      ['gamma us iphone', rank(before, null, 37), rank(today, 12), null],
      ['beta us iphone', rank(before, 8), rank(today, 60), -52],
      ['delta us iphone', rank(before, 30), rank(today, null, 90), null],
      ['zeta us iphone', rank(before, 4), null, null],
    ]);
    expect(rest).toMatchObject({
      from: before,
      to: today,
      before: { top3: 2, top10: 5, top50: 6, ranked: 6, notFound: 1, notChecked: 1 },
      now: { top3: 4, top10: 4, top50: 5, ranked: 6, notFound: 1, notChecked: 1 },
      totals: { checkedOnBoth: 6 },
      total: 8,
    });
  });

  test('has the days of its comparison, and the visibility of exactly these', async () => {
    const whole = await read(mine.me, mine.appId);
    expect(whole.visibility.map(({ date }) => date)).toEqual(
      Array.from({ length: 31 }, (_, index) => addDays(before, index)),
    );
    const week = await read(mine.me, mine.appId, { days: 7 });
    expect([week.days, week.comparison!.from, week.comparison!.to]).toEqual([
      7,
      addDays(today, -7),
      today,
    ]);
    expect([week.visibility.length, week.visibility.at(-1)!.date]).toEqual([8, today]);
    expect(week.comparison!.before.notChecked).toBe(8);
  });

  test('says where another search provider begins, and compares nothing with it', async () => {
    const factsOf = ({ segments, comparison }: Content) => [
      segments,
      [...new Set(comparison!.keywords.map(({ isComparable }) => isComparable))],
      comparison!.totals.averagePosition.change,
    ];
    const own = { from: before, provider: 'itunes' };
    expect(factsOf(await read(mine.me, mine.appId))).toEqual([[own], [true], expect.any(Number)]);
    const switched = addDays(today, -3);
    const changed = await readWithOtherProvider(api, switched, () => read(mine.me, mine.appId));
    expect(factsOf(changed)).toEqual([[own, { from: switched, provider: 'other' }], [false], null]);
    // A report that begins with the other provider has its positions alone.
    const later = await readWithOtherProvider(api, before, () => read(mine.me, mine.appId));
    expect(factsOf(later)[0]).toEqual([{ from: before, provider: 'other' }]);
  });

  test('has the keywords of its country and its device alone', async () => {
    const shown = async (choice: object) => {
      const { country, device, visibility, comparison } = await read(mine.me, mine.appId, choice);
      expect({ country, device }).toEqual({ country: null, device: null, ...choice });
      const { total, now, keywords } = comparison!;
      expect([keywords.length, now.ranked + now.notFound + now.notChecked]).toEqual([total, total]);
      expect(visibility.at(-1)!.followed).toBe(total);
      return keywords.map(shortNameOf);
    };
    expect(await shown({ country: 'de' })).toEqual(['eta de iphone']);
    expect(await shown({ device: 'ipad' })).toEqual(['theta us ipad']);
    expect(await shown({ country: 'us', device: 'iphone' })).toHaveLength(6);
    const nothing = await read(mine.me, mine.appId, { country: 'jp' });
    expect([nothing.comparison, nothing.visibility, nothing.segments]).toEqual([null, [], []]);
  });
});

describe('the last day of a report', () => {
  const market = 'alpha us iphone';
  const yesterday = addDays(today, -1);
  const dayOf = async ({ me, appId }: Tracked) => (await comparisonOf(me, appId)).to;

  test('is the one of the newest run that has ended, while the next is under way', async () => {
    const mine = await track([market, 'beta us iphone']);
    for (const day of [addDays(today, -2), yesterday, today]) await mine.check(market, day, 3);
    await insertRun(addDays(today, -2), 'finished');
    await insertRun(yesterday, 'finished');
    for (const state of ['running', 'degraded'] as const) {
      await insertRun(today, state);
      expect([state, await dayOf(mine)]).toEqual([state, yesterday]);
    }
    // It ended without everything, and is still the newest.
    await insertRun(today, 'overdue');
    expect(await dayOf(mine)).toBe(today);
    await insertRun(today, 'finished');
    expect(await dayOf(mine)).toBe(today);
  });

  test('is the newest day with a check of an app that was added after that run', async () => {
    await insertRun(yesterday, 'finished');
    await insertRun(today, 'running');
    const mine = await track([market, 'beta us iphone'], today);
    await mine.check(market, today, 4);
    const { to, now, before, keywords } = await comparisonOf(mine.me, mine.appId);
    expect([to, now.ranked, now.notChecked, before.notChecked]).toEqual([today, 1, 1, 2]);
    expect(keywords.map(({ from, change }) => [from, change])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  test('is older for a workspace that no run visits any more', async () => {
    const mine = await track([market]);
    await mine.check(market, addDays(today, -9), 6);
    await insertRun(yesterday, 'finished');
    expect(await dayOf(mine)).toBe(addDays(today, -9));
  });

  test('does not exist before the first check', async () => {
    await insertRun(yesterday, 'finished');
    const mine = await track([market]);
    const content = await read(mine.me, mine.appId);
    expect([content.comparison, content.visibility]).toEqual([null, []]);
    const empty = await track([]);
    expect((await read(empty.me, empty.appId)).comparison).toBeNull();
  });
});

describe('the numbers of a report', () => {
  const lateNumber = 6;
  let ann: Account;
  let past: History;
  let appId: number;
  beforeAll(async () => {
    api.clock.set(noon(today));
    ann = await api.signUp();
    past = await seedHistory(api.db.pool, {
      workspaceId: ann.workspaceId,
      apps: 2,
      markets: 60,
      days: 45,
      lastDay: today,
      gapShare: 0.2,
    });
    appId = past.appIds[0]!;
    await insertRun(today, 'finished');
    await api.db.pool.query('update keywords set note = $2, tags = array[$2] where app_id = $1', [
      appId,
      marker,
    ]);
    // One was added later, so the visibility of the same keywords leaves it out.
    await api.db.pool.query('update keywords set tracking_periods = $2 where id = $1', [
      past.keywords[lateNumber]!.id,
      JSON.stringify([[addDays(today, -5), 200]]),
    ]);
    for (const { marketId, number } of past.keywords.slice(0, 20))
      await scoreMarket(api, marketId, { traffic: 5 * number, difficulty: 73 });
    const body = { displayName: 'The name for clients', note: marker, tags: [marker] };
    await api.ok('PATCH /apps/{id}', { params: { id: appId }, body }, ann);
    await api.ok('PATCH /workspace', { body: { name: marker } }, ann);
  });

  test.each([{}, { country: 'us' }, { device: 'iphone', days: 14 }, { country: 'de', days: 40 }])(
    'are those of the comparison of two days and of the visibility %o',
    async ({ days = 30, ...market }: { days?: number; country?: string; device?: string }) => {
      const params = { id: appId };
      const [from, to] = [addDays(today, -days), today];
      const content = await read(ann, appId, { ...market, days });
      const compared = await api.ok(
        'GET /apps/{id}/rankings/compare',
        { params, query: { a: from, b: to, ...market } },
        ann,
      );
      const { keywords, totals, total, ...rest } = content.comparison!;
      const byMarket = (one: object, other: object) =>
        JSON.stringify(one).localeCompare(JSON.stringify(other), 'en');
      expect(keywords.toSorted(byMarket)).toEqual(
        compared.items
          .map(({ phrase, country, device, a, b, delta, isComparable }) => {
            return { phrase, country, device, from: a, to: b, change: delta, isComparable };
          })
          .toSorted(byMarket),
      );
      expect([totals, total, rest.from, rest.to]).toEqual([
        compared.totals,
        compared.total,
        from,
        to,
      ]);
      expect(total).toBeGreaterThan(4);
      const { items, inputs } = await api.ok(
        'GET /apps/{id}/visibility',
        { params, query: { from, to, keywords: 'same', ...market } as never },
        ann,
      );
      expect(content.visibility).toEqual(items);
      expect(inputs.weighting).toBe('traffic');
    },
  );

  test('are those of the facts, also the counts', async () => {
    const { before, now, from } = await comparisonOf(ann, appId);
    const keywords = past.keywords.filter((keyword) => keyword.appId === appId);
    for (const [day, counts] of [
      [from, before],
      [today, now],
    ] as const) {
      const ranks = keywords.map((keyword) =>
        keyword.number === lateNumber && day === from ? null : past.groundTruthOf(keyword, day),
      );
      const found = ranks.flatMap((rank) => rank?.position ?? []);
      expect(counts).toEqual({
        top3: found.filter((position) => position <= 3).length,
        top10: found.filter((position) => position <= 10).length,
        top50: found.filter((position) => position <= 50).length,
        ranked: found.length,
        notFound: ranks.filter((rank) => rank?.position === null).length,
        notChecked: ranks.filter((rank) => rank === null).length,
      });
    }
  });

  test('come without notes, tags, scores, ids and other apps', async () => {
    const content = await read(ann, appId);
    expect(content.app.name).toBe('The name for clients');
    const text = JSON.stringify(content);
    expect(text).not.toContain(marker);
    expect(text).not.toContain(ann.email);
    const other = past.keywords.find((keyword) => keyword.appId !== appId)!;
    const { rows } = await api.db.pool.query('select phrase from keywords where id = $1', [
      other.id,
    ]);
    expect(text).not.toContain(`"${rows[0].phrase}"`);
    expect(namesIn(content)).toEqual(
      new Set(
        (
          'name app developer store icon country device days expiresAt visibility date index ' +
          'coverage followed added checked ranked comparison from to before now totals keywords ' +
          'total top3 top10 top50 notFound notChecked checkedOnBoth change averagePosition a b ' +
          'phrase position depth isComparable segments provider'
        ).split(' '),
      ),
    );
  });

  test('count all keywords of a large app, of which 1,000 are listed', async () => {
    const large = await seedHistory(api.db.pool, {
      workspaceId: ann.workspaceId,
      apps: 1,
      markets: 1_030,
      days: 9,
      lastDay: today,
    });
    const { total, now, before, keywords } = await comparisonOf(ann, large.appIds[0]!, { days: 7 });
    expect([total, keywords.length]).toEqual([1_030, 1_000]);
    for (const { ranked, notFound, notChecked } of [before, now])
      expect(ranked + notFound + notChecked).toBe(1_030);
    expect(keywords.filter(({ to }) => to?.position !== null)).toHaveLength(now.ranked);
    expect(now.notFound).toBeGreaterThan(30);
  });
});

describe('the icon of a report', () => {
  const bytes = Buffer.from('a small picture');
  const url = 'https://is1-ssl.mzstatic.com/image/thumb/icon-of-a-report/512x512bb.jpg';

  test('is a data URL once the picture is stored, and null when it is large', async () => {
    const { me, appId } = await track([]);
    await api.db.pool.query(
      `update listings set icon_url = $2 where id = (select listing_id from apps where id = $1)`,
      [appId, url],
    );
    const iconOf = async () => (await read(me, appId)).app.icon;
    expect(await iconOf()).toBeNull();
    const store = (content: Buffer) =>
      api.db.pool.query(
        `with i as (insert into images (hash, type, width, height, bytes)
           values (sha256($2), 'image/png', 1, 1, $2) returning hash)
         insert into image_sources (store, kind, identity, priority, created_on, used_on,
           image_hash)
         select 'ios', 'icon', $1, 0, now(), now(), hash from i
         on conflict (store, kind, identity) do update set image_hash = excluded.image_hash`,
        [imageIdentityOf('ios', url), content],
      );
    await store(bytes);
    expect(await iconOf()).toBe(`data:image/png;base64,${bytes.toString('base64')}`);
    await store(Buffer.alloc(100_001, 7));
    expect(await iconOf()).toBeNull();
  });
});

/** The names of all members, at any depth. */
function namesIn(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name);
    namesIn(inner, names);
  }
  return names;
}

describe('the day that a report compares with', () => {
  test('is the first one with a check, where tracking began or resumed later', async () => {
    const mine = await track(['alpha us iphone', 'beta us iphone'], addDays(today, -9));
    for (const [day, position] of [
      [addDays(today, -8), 20],
      [addDays(today, -3), 9],
      [today, 7],
    ] as const)
      await mine.check('alpha us iphone', day, position);
    const { comparison, visibility } = await read(mine.me, mine.appId, { days: 30 });
    expect(comparison).toMatchObject({ from: addDays(today, -8), to: today });
    expect(comparison!.keywords[0]).toMatchObject({
      from: { position: 20 },
      to: { position: 7 },
      change: 13,
    });
    expect(visibility[0]!.date).toBe(addDays(today, -8));
    expect(await comparisonOf(mine.me, mine.appId, { days: 7 })).toMatchObject({
      from: addDays(today, -3),
      to: today,
    });
  });

  test('is the one that many days before, where only one day was checked', async () => {
    const mine = await track(['alpha us iphone'], addDays(today, -1));
    await mine.check('alpha us iphone', today, 7);
    const comparison = await comparisonOf(mine.me, mine.appId, { days: 30 });
    expect(comparison).toMatchObject({ from: addDays(today, -30), to: today });
    expect(comparison.keywords[0]).toMatchObject({ from: null, change: null });
  });
});
