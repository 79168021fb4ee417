import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  insertPopularitySet,
  insertPopularityTerms,
  purgeDiscardedPopularity,
} from '#db/queries/popularity/sets.ts';
import { packIds } from '#domain/tracking/rankings/pack-serp.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import { scoreMarkets, scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import { popularityGenres } from '#stores/profiles.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { makeLines, makeRows, writeCsvFile } from '../harness/popularity-file.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';
import {
  importPopularity,
  makeMonth,
  makeWorkbook,
  uploadPopularity,
} from './popularity.fixtures.ts';

keepOrder('later months are compared with earlier ones');

let api: TestApi;
let operator: Account;
let member: Account;

beforeAll(async () => {
  api = await startApi();
  operator = await api.signUp();
  await api.db.pool.query('update users set operator = true where id = $1', [operator.userId]);
  member = await api.signUp();
});
afterAll(() => api.close());

const header =
  'Country or Region,Genre,Search Term,Rank in Genre,Search Popularity in Genre (1-100),' +
  'Search Popularity (1-100),Search Popularity (1-5)';

const listTerms = (query: Record<string, string>, account = member) =>
  api.ok('GET /popularity/terms', { query: { country: 'us', ...query } }, account);

describe('an import', () => {
  test('of a workbook reads every country and genre, also numbers as terms', async () => {
    const countries = ['United States', 'Türkiye', 'Hong Kong'];
    // Columns are found by their names, and the month is that above the header.
    const columns = [
      'level',
      'term',
      'popularity',
      'rank',
      'country',
      'popularityInGenre',
      'genre',
    ] as const;
    const file = makeMonth('2026-09', { countries }, columns);
    const done = await importPopularity(api, operator, file);
    expect(done).toMatchObject({
      state: 'succeeded',
      format: 'xlsx',
      percent: 100,
      rowsRead: 1_800,
      rowsRefused: 0,
      refusal: null,
      refused: [],
    });
    const set = { period: '2026-09-01', terms: 600, refused: 0, outcome: 'imported' };
    expect(done.sets).toEqual(
      ['us', 'tr', 'hk'].map((country) => ({ country, ...set, termsBefore: null })),
    );
    const { items } = await listTerms({ q: '36' });
    expect(items.map(({ term }) => term)).toContain('365008');
    const periods = await api.ok('GET /popularity/periods', { query: { country: 'tr' } }, member);
    expect(periods.items).toMatchObject([{ period: '2026-09-01', terms: 600, genres: 15 }]);
  });

  test('again replaces the month and adds nothing', async () => {
    const rows = [{ term: 'only one' }, { term: 'İstanbul  Guide', genre: 'Travel' }];
    const done = await importPopularity(api, operator, makeWorkbook(rows, '2026-09'));
    expect(done.sets).toMatchObject([
      { country: 'us', terms: 2, outcome: 'replaced', termsBefore: 600 },
    ]);
    const { items, set } = await listTerms({});
    expect(items.map(({ term, original, genre }) => [term, original, genre])).toEqual([
      ['only one', null, 'games'],
      ['istanbul guide', 'İstanbul  Guide', 'travel'],
    ]);
    expect(set).toMatchObject({ terms: 2, source: 'file' });
    // The other countries of the month are as they were, and replaced rows are deleted.
    expect(await countRows()).toBe(1_202);
  });

  test('of a CSV file finds columns by name, with a byte order mark and semicolons', async () => {
    const columns = ['term', 'level', 'popularity', 'rank', 'genre', 'country', 'month'] as const;
    const rows = [...makeRows({ month: '2026-09', countries: ['Japan'], perGenre: 5 })];
    const lines = makeLines(rows, { columns: [...columns, 'popularityInGenre'] });
    const csv = writeCsvFile(lines, { delimiter: ';', mark: true });
    const done = await importPopularity(api, operator, csv);
    expect(done).toMatchObject({ format: 'csv', rowsRead: 75, rowsRefused: 0, refusal: null });
    expect(done.sets).toMatchObject([{ country: 'jp', terms: 75 }]);
    const { items } = await listTerms({ country: 'jp', limit: '500' });
    const numbersOf = (row: (typeof rows)[number]) => [
      row.term,
      row.rank,
      row.popularityInGenre,
      row.popularity,
      row.level,
    ];
    expect(
      items
        .map((item) => [
          item.original ?? item.term,
          item.rankInGenre,
          item.popularityInGenre,
          item.popularity,
          item.popularityLevel,
        ])
        .toSorted(),
    ).toEqual(rows.map(numbersOf).toSorted());
  });

  test('refuses single rows with their reasons and lines', async () => {
    const rows = [
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      { country: 'Atlantis' },
      { genre: 'Magic' },
      { month: '2026-08' },
      { term: ' ' },
      { rank: 0 },
      { popularity: 101 },
      { level: 'x' },
      { rank: 3 },
    ];
    const done = await importPopularity(
      api,
      operator,
      makeWorkbook(
        rows.map((row, index) => ({ country: 'France', term: `t ${index}`, ...row })),
        '2026-09',
      ),
    );
    expect(done.rowsRefused).toBe(8);
    const first = Object.fromEntries(done.refused.map((one) => [one.reason, one.first]));
    expect(first).toEqual({
      bad_number: [
        { line: 22, value: '101' },
        { line: 23, value: 'x' },
      ],
      unknown_country: [{ line: 17, value: 'Atlantis' }],
      unknown_genre: [{ line: 18, value: 'Magic' }],
      other_month: [{ line: 19, value: '2026-08' }],
      bad_term: [{ line: 20, value: ' ' }],
      bad_rank: [{ line: 21, value: '0' }],
      duplicate: [{ line: 24, value: 't 16' }],
    });
    expect(done.sets).toEqual([
      {
        country: 'fr',
        period: '2026-09-01',
        terms: 9,
        refused: 7,
        outcome: 'imported',
        termsBefore: null,
      },
    ]);
  });

  test('keeps what a country had when most of its rows are refused', async () => {
    const rows = [{}, { rank: 'one' }, { rank: 'two' }];
    const done = await importPopularity(
      api,
      operator,
      makeWorkbook(
        rows.map((row) => ({ country: 'France', ...row })),
        '2026-09',
      ),
    );
    expect(done.refusal?.reason).toBe('no_rows');
    const { total } = await listTerms({ country: 'fr' });
    expect(total).toBe(9);
  });

  test.for([
    ['unreadable numbers', { rank: 'one' }, 'kept'],
    ['unknown genres', { genre: 'Magic' }, 'kept'],
    ['unreadable months', { month: 'May' }, 'kept'],
    // They are not missing in the month that is read.
    ['months of too long ago', { month: '2024-01' }, 'replaced'],
  ] as const)('keeps it also when only rows have the month: %s', async ([, refused, outcome]) => {
    const spain = { country: 'Spain', month: '2026-09' };
    const other = { country: 'Norway', month: '2026-09' };
    await importPopularity(api, operator, makeWorkbook(Array(9).fill(spain), null));
    const bad = { ...spain, ...refused };
    const rows = [bad, bad, spain, bad, other];
    const done = await importPopularity(api, operator, makeWorkbook(rows, null));
    const count = outcome === 'kept' ? 3 : 0;
    expect(done).toMatchObject({ rowsRefused: 3, refusal: null });
    expect(done.sets.filter(({ country }) => country === 'es')).toEqual([
      {
        country: 'es',
        period: '2026-09-01',
        terms: 1,
        refused: count,
        outcome,
        termsBefore: outcome === 'kept' ? null : 9,
      },
    ]);
    expect((await listTerms({ country: 'es' })).total).toBe(outcome === 'kept' ? 9 : 1);
  });

  test.for([
    ['no_header', 'Monat;Land;Suchbegriff\n2026-10;Deutschland;wetter\n'],
    ['columns_missing', 'Month,Genre,Search Term,Rank in Genre\n2026-10,Games,chess,1\n'],
    ['no_month', `${header}\nJapan,Games,chess,1,100,90,5\n`],
    ['no_rows', `Month = 2026-10\n${header}\n`],
  ])('refuses a file as a whole: %s', async ([reason, text]) => {
    const done = await importPopularity(api, operator, Buffer.from(text!));
    expect(done.refusal?.reason).toBe(reason);
    expect(done.refusal?.message).toMatch(/\.$/);
    expect(done.sets).toEqual([]);
  });

  test('refuses months of the future and of too long ago', async () => {
    for (const [month, reason] of [
      ['2026-12', 'future_month'],
      ['2025-01', 'old_month'],
    ] as const) {
      const done = await importPopularity(api, operator, makeWorkbook([{ month }], month));
      expect(done.refusal?.reason).toBe('no_rows');
      expect(done.refused).toMatchObject([{ reason, rows: 1 }]);
    }
  });

  test('that is interrupted leaves the old state, and its repetition imports all', async () => {
    const before = await listTerms({});
    const importId = await uploadPopularity(api, operator, makeMonth('2026-09'));
    const { importFile } = api.services.popularityFiles;
    const { rows } = await api.db.pool.query(
      'select job_id from popularity_imports where id = $1',
      [importId],
    );
    const task = { importId, workspaceId: operator.workspaceId, jobId: Number(rows[0].job_id) };
    // The connection ends in the middle of writing, as that of a killed process does.
    await api.db.pool.query(
      `create function fail_midway() returns trigger language plpgsql as $$ begin
         if (select count(*) from popularity p where p.set_id = new.set_id) > 300
         then raise exception 'killed'; end if; return new; end $$;
       create trigger midway before insert on popularity for each row
       execute function fail_midway()`,
    );
    const signal = AbortSignal.timeout(30_000);
    await expect(importFile(task, signal)).rejects.toThrow('killed');
    await api.db.pool.query('drop function fail_midway cascade');
    expect(await listTerms({})).toEqual(before);
    // The lease of the killed worker ends.
    api.clock.set('2026-11-21T12:10:00Z');
    await runAcceptedJobs(api);
    expect((await listTerms({})).total).toBe(600);
  });

  test('of a refused file says why and changes nothing', async () => {
    const before = await listTerms({});
    const done = await importPopularity(api, operator, Buffer.from('PK\x05\x06 broken'));
    expect(done).toMatchObject({ state: 'succeeded', refusal: { reason: 'damaged' }, sets: [] });
    expect(await listTerms({})).toEqual(before);
    expect(await countParts()).toBe(0);
  });
});

describe('top search terms', () => {
  test('have the change since the month before', async () => {
    const october = [
      // Was at rank 3.
      { term: 'b', rank: 1, popularity: 99 },
      // Was at rank 1.
      { term: 'a', rank: 2 },
      { term: 'c', rank: 3 },
    ];
    const september = ['a', 'x', 'b'].map((term, index) => ({
      month: '2026-09',
      term,
      rank: index + 1,
    }));
    await importPopularity(api, operator, makeWorkbook(september, '2026-09'));
    await importPopularity(api, operator, makeWorkbook(october, '2026-10'));
    const { items, set, previousPeriod } = await listTerms({ genre: 'games' });
    expect(items.map(({ term, ranksGained, isNew }) => [term, ranksGained, isNew])).toEqual([
      ['b', 2, false],
      ['a', -1, false],
      ['c', null, true],
    ]);
    expect([set?.period, previousPeriod]).toEqual(['2026-10-01', '2026-09-01']);
    for (const [movement, terms] of [
      ['climbers', ['b']],
      ['fallers', ['a']],
      ['new', ['c']],
    ] as const)
      expect((await listTerms({ movement })).items.map(({ term }) => term)).toEqual(terms);
    const earlier = await listTerms({ period: '2026-09-01' });
    expect(earlier.items.map(({ isNew }) => isNew)).toEqual([false, false, false]);
    expect((await listTerms({ period: '2026-09-02' })).set).toBeNull();
  });

  test('are paged, and a page of a replaced month is refused', async () => {
    await importPopularity(api, operator, makeMonth('2026-10'));
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listTerms({ limit: '77', ...(cursor && { cursor }) });
      all.push(...page.items.map(({ genre, rankInGenre }) => `${genre} ${rankInGenre}`));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(new Set(all).size).toBe(600);
    const { nextCursor } = await listTerms({ limit: '77' });
    await importPopularity(api, operator, makeMonth('2026-10'));
    const refused = await api.call(
      'GET /popularity/terms',
      { query: { country: 'us', limit: '77', cursor: nextCursor! } },
      member,
    );
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor']);
  });
});

describe('discarded sets', () => {
  test('are deleted as a whole by several processes at once', async () => {
    const { systemDb } = api.services;
    const countries = ['Iceland', 'Malta'];
    await importPopularity(api, operator, makeMonth('2026-09', { countries, perGenre: 400 }));
    await api.db.pool.query(
      "update popularity_sets set state = 'discarded' where country in ('is', 'mt')",
    );
    const purge = async () => {
      let empty = 0;
      // One that finds every set in use by others looks again.
      while (empty < 3) empty = (await purgeDiscardedPopularity(systemDb)) > 0 ? 0 : empty + 1;
    };
    await Promise.all(Array.from({ length: 4 }, purge));
    const { rows } = await api.db.pool.query(
      `select (select count(*)::int from popularity_sets where state = 'discarded') as sets,
         (select count(*)::int from popularity p where not exists (
           select from popularity_sets s where s.id = p.set_id)) as orphans`,
    );
    expect(rows).toEqual([{ sets: 0, orphans: 0 }]);
  });

  test('take no more terms', async () => {
    const { systemDb } = api.services;
    const of = { country: 'us', granularity: 'week', period: '2026-10-04', source: 'api' } as const;
    const setId = await insertPopularitySet(systemDb, {
      ...of,
      importId: null,
      now: api.clock.now(),
    });
    const term = { setId, genre: 0, popularityInGenre: 9, popularity: 9, level: 1, original: null };
    await insertPopularityTerms(systemDb, [{ ...term, rank: 1, term: 'first' }]);
    await api.db.pool.query("update popularity_sets set state = 'discarded' where id = $1", [
      setId,
    ]);
    const late = insertPopularityTerms(systemDb, [{ ...term, rank: 2, term: 'late' }]);
    await expect(late).rejects.toThrow(/discarded while it was read/);
    while ((await purgeDiscardedPopularity(systemDb)) > 0);
    const { rows } = await api.db.pool.query('select from popularity where set_id = $1', [setId]);
    expect(rows).toEqual([]);
  });
});

describe('a keyword', () => {
  test('has the published number, or the bound of its genre', async () => {
    const games = popularityGenres.indexOf('games');
    await importPopularity(api, operator, makeMonth('2026-10'));
    const { items } = await listTerms({ genre: 'games', limit: '1' });
    const listed = items[0]!;
    const appId = await addApp(member, [
      [listed.term, 'us', 'iphone'],
      ['nobody searches this', 'us', 'iphone'],
      ['nobody searches this', 'us', 'mac'],
      ['nobody searches this', 'de', 'iphone'],
    ]);
    const read = async (query: Record<string, string> = {}) =>
      (await api.ok('GET /apps/{id}/keywords', { params: { id: appId }, query }, member)).items;
    const period = { granularity: 'month', period: '2026-10-01', source: 'file' };
    const [on, off, mac, german] = await read({ sort: 'createdAt' });
    expect(on!.published).toEqual({
      popularity: listed.popularity,
      rankInGenre: 1,
      genre: 'games',
      atMost: null,
      ...period,
    });
    const unlisted = { popularity: null, rankInGenre: null, ...period };
    // Without results it may belong to the genre with the highest floor.
    const highest = 46 + popularityGenres.length - 1;
    expect(off!.published).toEqual({ ...unlisted, genre: null, atMost: highest });
    expect([mac!.published, german!.published]).toEqual([null, null]);
    await addResults(off!.id, ['6014', '6014', '6003']);
    const [, again] = await read({ sort: 'createdAt' });
    expect(again!.published).toEqual({ ...unlisted, genre: 'games', atMost: 46 + games });
    await api.db.pool.query(
      `update keywords set latest_on = '2026-11-20', created_at = '2026-11-21' where id = $1`,
      [off!.id],
    );
    const seenByOthers = (await read()).find(({ id }) => id === off!.id);
    expect(seenByOthers!.published).toEqual({ ...unlisted, genre: null, atMost: highest });
    expect((await read({ sort: '-published', limit: '1' }))[0]!.id).toBe(on!.id);
    expect((await read({ published: 'listed' })).map(({ id }) => id)).toEqual([on!.id]);
    expect((await read({ published: 'unlisted' })).map(({ id }) => id)).toEqual([off!.id]);
    expect(await read({ minPublished: '101' }).catch(({ status }) => status)).toBe(400);
    expect((await read({ minPublished: '50' })).map(({ id }) => id)).toEqual([on!.id]);
    const [tracked] = (await listTerms({ genre: 'games', limit: '1' })).items;
    expect(tracked!.keywords).toEqual([{ keywordId: on!.id, appId }]);
    expect((await listTerms({ genre: 'games', limit: '1' }, operator)).items[0]!.keywords).toEqual(
      [],
    );
  });

  // From these on the second and the first of the four bytes of an id count.
  test.each([65_536, 8_388_608])(
    'has the bound of its genre with listings after %i',
    async (id) => {
      await importPopularity(api, operator, makeMonth('2026-10'));
      const appId = await addApp(member, [[`nobody searches this ${id}`, 'us', 'iphone']]);
      const read = async () =>
        (await api.ok('GET /apps/{id}/keywords', { params: { id: appId }, query: {} }, member))
          .items[0]!;
      await api.db.pool.query("select setval(pg_get_serial_sequence('listings', 'id'), $1)", [id]);
      await addResults((await read()).id, ['6014', '6014', '6003']);
      expect((await read()).published).toMatchObject({
        genre: 'games',
        atMost: 46 + popularityGenres.indexOf('games'),
      });
    },
  );

  test('has the published number as its traffic soon after an import', async () => {
    const [, listed] = (await listTerms({ genre: 'games', limit: '2' })).items;
    const appId = await addApp(member, [[listed!.term, 'us', 'iphone']]);
    const read = async () =>
      (await api.ok('GET /apps/{id}/keywords', { params: { id: appId }, query: {} }, member))
        .items[0]!;
    const { id } = await read();
    await addResults(id, ['6014']);
    const { rows } = await api.db.pool.query('select market_id from keywords where id = $1', [id]);
    await scoreMarkets(api.services, [(rows[0] as { market_id: number }).market_id]);
    expect((await read()).traffic).toBe(listed!.popularity);
    const changed = [{ term: listed!.term, popularity: 37 }];
    await importPopularity(api, operator, makeWorkbook(changed, '2026-10'));
    while ((await scoreStaleMarkets(api.services)) > 0);
    expect((await read()).traffic).toBe(37);
    await importPopularity(api, operator, makeMonth('2026-10'));
  });

  test('that is listed is never below the bound of its genre', async () => {
    const { items } = await listTerms({ limit: '500' });
    const floors = Map.groupBy(items, ({ genre }) => genre);
    const { rows } = await api.db.pool.query(
      `select g.code, floor from popularity_floors f join popularity_genres g on g.id = f.genre
       join popularity_sets s on s.id = f.set_id
       where s.state = 'active' and s.country = 'us' and s.period = '2026-10-01'`,
    );
    for (const { code, floor } of rows as { code: never; floor: number }[])
      for (const { popularity } of floors.get(code) ?? [])
        expect(popularity).toBeGreaterThanOrEqual(floor);
    expect(rows).toHaveLength(15);
  });
});

describe('access', () => {
  test('to imports is for operators, and a read-only token reads', async () => {
    const token = await api.token(operator, { readOnly: true });
    const part = { params: { part: 1 }, body: { data: 'TW9u' } };
    const statusOf = async (account: Parameters<TestApi['call']>[2]) => [
      (await api.call('PUT /popularity/imports/parts/{part}', part, account)).status,
      (await api.call('POST /popularity/imports', { body: { parts: 1, fileName: 'x' } }, account))
        .status,
      (await api.call('GET /popularity/imports', {}, account)).status,
      (await api.call('GET /popularity/terms', { query: { country: 'us' } }, account)).status,
    ];
    expect(await statusOf(member)).toEqual([403, 403, 403, 200]);
    expect(await statusOf(token)).toEqual([403, 403, 200, 200]);
    expect(await statusOf(null)).toEqual([401, 401, 401, 401]);
  });
});

test('data older than 65 weeks is deleted by the retention', async () => {
  const { rows } = await api.db.pool.query('select count(*)::int as count from popularity_sets');
  expect(rows[0].count).toBeGreaterThan(3);
  api.clock.set('2028-01-10T09:00:00Z');
  const isDone = async () =>
    (await applyRetention(api.services, AbortSignal.timeout(30_000))) === 0;
  while (!(await isDone()));
  const { items } = await api.ok('GET /popularity/periods', { query: {} }, await api.signUp());
  expect(items.map(({ period }) => period)).toEqual(['2026-10-01']);
  expect(await countRows()).toBe(600);
});

async function countRows(): Promise<number> {
  const { rows } = await api.db.pool.query('select count(*)::int as count from popularity');
  return rows[0].count as number;
}

async function countParts(): Promise<number> {
  const { rows } = await api.db.pool.query(
    'select count(*)::int as count from popularity_import_parts',
  );
  return rows[0].count as number;
}

/** An app with keywords. */
async function addApp(
  account: Account,
  keywords: [phrase: string, country: string, device: string][],
): Promise<number> {
  const { pool } = api.db;
  const { id: appId } = await insertApp(api, account);
  for (const [index, [phrase, country, device]] of keywords.entries())
    await pool.query(
      `with m as (insert into markets (store, country, device, phrase)
         values ('ios', $2, $3, $4) returning id)
       insert into keywords (workspace_id, app_id, market_id, country, phrase, device, depth,
         tracking_periods, created_at)
       select $1, $5, id, $2, $4, $3, 200, '[["2026-11-01", 200]]',
         timestamptz '2026-11-01T00:00:00Z' + make_interval(secs => $6) from m`,
      [account.workspaceId, country, device, phrase, appId, index],
    );
  return appId;
}

/** Stored results of a keyword that was checked, with listings of these categories. */
async function addResults(keywordId: number, categories: readonly string[]): Promise<void> {
  const { pool } = api.db;
  const ids: number[] = [];
  for (const [index, category] of categories.entries()) {
    const { rows } = await pool.query(
      `with l as (insert into listings (store, store_app_id) values ('ios', $1) returning id)
       insert into snapshots (listing_id, country, taken_at, content_hash, fields)
       select id, 'us', now(), 'x', jsonb_build_object('categoryId', $2::text) from l
       returning listing_id`,
      [`88${keywordId}${index}`, category],
    );
    ids.push(rows[0].listing_id as number);
  }
  await pool.query(
    `insert into last_serps (market_id, on_date, depth, result_count, ended, provider, ids,
       strengths, whole_on)
     select market_id, '2026-11-20', 200, $2, 'depth', 'web', $3, '', '2026-11-20' from keywords
     where id = $1`,
    [keywordId, ids.length, packIds(ids)],
  );
  await pool.query(
    `update keywords set latest_on = '2026-11-20', latest_depth = 200,
       latest_at = '2026-11-20T02:00:00Z' where id = $1`,
    [keywordId],
  );
}
