import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importHistory } from '#domain/transfer/imports/import-history.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { countReadRanks } from './history-imports.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';

keepOrder('what one test exports is read by the tests after it');

let api: TestApi;
let ann: Account;
let history: History;
let appId: number;
let names: { id: number; phrase: string; country: string }[];

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  history = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 4,
    days: 5,
    lastDay: '2026-11-21',
  });
  appId = history.appIds[0]!;
  names = (await api.db.pool.query('select id, phrase, country from keywords order by id'))
    .rows as typeof names;
});
afterAll(() => api.close());

const mapping = {
  phrase: 'Keyword',
  country: 'Market',
  date: 'Day',
  position: 'Rank',
  depth: 'Depth',
};

function bodyOf(rows: string[][], change: object = {}) {
  const text = [['Keyword', 'Market', 'Day', 'Rank', 'Depth'], ...rows]
    .map((row) => row.join(','))
    .join('\r\n');
  return { format: 'csv' as const, appId, text, mapping, ...change };
}
const send = (body: object, who = ann) =>
  api.raw(
    '/workspace/imports',
    { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    who,
  );
const row = (index: number, day: string, rank: string, depth = '') => [
  names[index]!.phrase,
  names[index]!.country,
  day,
  rank,
  depth,
];

async function rankingsOf(keywordId: number, from: string, to: string) {
  return (
    await api.ok(
      'GET /keywords/{keywordId}/rankings',
      { params: { keywordId }, query: { from, to } },
      ann,
    )
  ).items;
}

describe('importing the history of another tool', () => {
  test('creates daily ranks with a known depth on days without a check here', async () => {
    const response = await send(
      bodyOf([
        row(0, '2026-10-01', '7'),
        row(0, '2026-10-02', '>50'),
        row(0, '2026-10-03', '', '100'),
        row(0, '2026-10-04', ''),
        row(0, '2026-10-05', '3', '30'),
      ]),
    );
    expect([
      response.status,
      response.body.rows.map((one: { outcome: string }) => one.outcome),
    ]).toEqual([200, ['added', 'added', 'added', 'not_checked', 'added']]);
    expect(response.body.tables).toEqual([
      { table: 'rankings', rows: 5, imported: 4, reason: expect.any(String), anew: [] },
    ]);
    const cells = await rankingsOf(names[0]!.id, '2026-10-01', '2026-10-31');
    expect(
      cells.map((cell) =>
        'position' in cell ? [cell.date, cell.state, cell.position, cell.depth] : null,
      ),
    ).toEqual([
      ['2026-10-05', 'ranked', 3, 30],
      ['2026-10-03', 'not_found', null, 100],
      ['2026-10-02', 'not_found', null, 50],
      ['2026-10-01', 'ranked', 7, 7],
    ]);
    const csv = await api.raw(
      `/apps/${appId}/exports/rankings?format=csv&from=2026-10-01&to=2026-10-05`,
      {},
      ann,
    );
    expect(csv.text).toContain(',>50,');
  });

  test('never replaces this instance’s days, and keeps what was imported first', async () => {
    const day = history.days[1]!;
    const truth = history.groundTruthOf(history.keywords[0]!, day)!;
    const other = truth.position === 1 ? '2' : '1';
    expect((await send(bodyOf([row(0, day, other)]))).status).toBe(200);
    expect(await rankingsOf(names[0]!.id, day, day)).toMatchObject([
      { position: truth.position, depth: truth.depth },
    ]);
    const again = await send(bodyOf([row(1, '2026-10-01', '5'), row(1, '2026-10-01', '6')]));
    expect(again.body.rows.map((one: { outcome: string }) => one.outcome)).toEqual([
      'added',
      'existing',
    ]);
    await send(bodyOf([row(1, '2026-10-01', '9')]));
    expect(await rankingsOf(names[1]!.id, '2026-10-01', '2026-10-01')).toMatchObject([
      { position: 5 },
    ]);
  });

  test('is invisible to another workspace with the same app and keyword', async () => {
    const bob = await api.signUp();
    const { rows } = await api.db.pool.query(
      'insert into apps (workspace_id, listing_id, primary_country, created_at) select $1, ' +
        `listing_id, 'us', created_at from apps where id = $2 returning id`,
      [bob.workspaceId, appId],
    );
    await api.db.pool.query(
      `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
         tracking_periods, created_at)
       select $1, $2, market_id, country, device, phrase, depth, '[["2026-01-01", 200]]', created_at
         from keywords where id = $3`,
      [bob.workspaceId, rows[0].id, names[0]!.id],
    );
    const seen = await api.ok(
      'GET /apps/{id}/rankings',
      { params: { id: rows[0].id }, query: { from: '2026-10-01', to: '2026-10-31' } },
      bob,
    );
    expect(seen.items).toEqual([]);
  });

  test('affects the app only, not its competitors in the same markets', async () => {
    const made = await api.db.pool.query(
      "insert into listings (store, store_app_id, name) values ('ios', '4711', 'Competitor') " +
        'returning id',
    );
    const { rows } = await api.db.pool.query(
      `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
         created_at)
       values ($1, $2, $3, '[["2026-01-01", 200]]', '2026-01-01', '2026-01-01') returning id`,
      [ann.workspaceId, appId, made.rows[0].id],
    );
    const params = { id: appId, cid: rows[0].id as number };
    const seen = await api.ok(
      'GET /apps/{id}/competitors/{cid}/rankings',
      { params, query: { from: '2026-10-01', to: '2026-10-31' } },
      ann,
    );
    expect(seen.items).toEqual([]);
  });

  test('updates newest and best ranks without reading those of earlier imports', async () => {
    const bob = await api.signUp();
    const own = await seedHistory(api.db.pool, {
      workspaceId: bob.workspaceId,
      apps: 1,
      markets: 1,
      days: 1,
      lastDay: '2026-11-21',
      fill: 'none',
    });
    const { rows: tracked } = await api.db.pool.query(
      'select phrase, country from keywords where id = $1',
      [own.keywords[0]!.id],
    );
    const importDays = (...days: [string, string][]) =>
      countReadRanks(api, (appDb) => {
        const rows = days.map((day) => [tracked[0].phrase, tracked[0].country, ...day, '100']);
        const body = { ...bodyOf(rows), delimiter: ',' as const, appId: own.appIds[0]! };
        return importHistory({ ...bob.ctx, appDb }, body);
      });
    const newestAndBest = async () =>
      (
        await api.db.pool.query(
          `select latest_on::text as latest, latest_position as position, best_on::text as best,
             best_position as "bestPosition" from keywords where id = $1`,
          [own.keywords[0]!.id],
        )
      ).rows[0] as unknown;
    expect(await importDays(['2026-03-01', '9'], ['2026-03-02', '4'], ['2026-03-03', '8'])).toBe(0);
    const first = { latest: '2026-03-03', position: 8, best: '2026-03-02', bestPosition: 4 };
    expect(await newestAndBest()).toEqual(first);
    expect(await importDays(['2026-02-01', '4'], ['2026-03-04', '7'])).toBe(0);
    expect(await newestAndBest()).toEqual({
      ...first,
      latest: '2026-03-04',
      position: 7,
      best: '2026-02-01',
    });
  });

  test('accepts one country for all rows, and our own CSV', async () => {
    const exported = await api.raw(
      `/apps/${appId}/exports/rankings?format=csv&from=2026-10-01&to=2026-10-05`,
      {},
      ann,
    );
    const back = {
      format: 'csv',
      appId,
      text: exported.text,
      mapping: {
        phrase: 'phrase',
        country: 'country',
        date: 'date',
        position: 'position',
        depth: 'depth',
      },
    };
    const response = await send(back);
    expect(response.body.rows.every((one: { outcome: string }) => one.outcome !== 'added')).toBe(
      true,
    );
    const { country: _country, ...without } = mapping;
    const same = bodyOf([row(2, '2026-10-09', '4')], {
      mapping: without,
      country: names[2]!.country,
    });
    expect((await send(same)).body.rows).toMatchObject([
      { keywordId: names[2]!.id, outcome: 'added' },
    ]);
  });
});

describe('a history is refused', () => {
  test.each([
    ['position 0', () => row(0, '2026-09-01', '0'), 'rows.2.position'],
    ['201', () => row(0, '2026-09-01', '201'), 'rows.2.position'],
    ['>201', () => row(0, '2026-09-01', '>201'), 'rows.2.position'],
    ['-1', () => row(0, '2026-09-01', '-1'), 'rows.2.position'],
    ['1.5', () => row(0, '2026-09-01', '1.5'), 'rows.2.position'],
    ['not ranked', () => row(0, '2026-09-01', 'not ranked'), 'rows.2.position'],
    [
      'a position below the searched depth',
      () => row(0, '2026-09-01', '31', '30'),
      'rows.2.position',
    ],
    ['a depth of 0', () => row(0, '2026-09-01', '3', '0'), 'rows.2.position'],
    ['today', () => row(0, '2026-11-21', '3'), 'rows.2.date'],
    ['a day that does not exist', () => row(0, '2026-02-30', '3'), 'rows.2.date'],
    ['a day of a thousand years ago', () => row(0, '1026-02-03', '3'), 'rows.2.date'],
    [
      'a keyword that is not tracked',
      () => ['nobody follows this', 'us', '2026-09-01', '3', ''],
      'rows.2.phrase',
    ],
  ])('%s: with the row at fault, and nothing is written', async (_name, bad, path) => {
    const before = await describeTables(api);
    const response = await send(bodyOf([row(0, '2026-09-02', '3'), bad()]));
    expect([response.status, response.body.code, response.body.issues[0].path]).toEqual([
      400,
      'invalid_request',
      path,
    ]);
    expect(await describeTables(api)).toEqual(before);
  });

  test('for unknown columns, no CSV, too many rows and too long texts', async () => {
    const good = row(0, '2026-09-02', '3');
    expect(
      (await send(bodyOf([good], { mapping: { ...mapping, depth: 'Nowhere' } }))).body.issues[0]
        .path,
    ).toBe('mapping.depth');
    expect((await send({ ...bodyOf([good]), text: 'Keyword,"Market' })).body.code).toBe(
      'invalid_request',
    );
    const many = await send({
      ...bodyOf([]),
      text: `Keyword,Market,Day,Rank,Depth\n${'a,us,2026-09-01,1,\n'.repeat(5_001)}`,
    });
    expect([many.status, many.body.issues[0].limit]).toEqual([400, 5_000]);
    expect((await send({ ...bodyOf([]), text: 'x'.repeat(250_001) })).status).toBe(400);
    expect((await send(bodyOf([good], { surprise: 1 }))).status).toBe(400);
  });
});
