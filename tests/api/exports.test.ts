import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exportKind } from '#contract/exports.ts';
import { readCsv } from '#lib/csv-reader.ts';
import { unguardFormula } from '#lib/csv-writer.ts';
import { parseExact } from '#lib/json.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { seedHistory, hasReason, type History } from '../harness/history.ts';
import { insertChart } from './charts.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { insertCoverage, insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;
let history: History;
let appId: number;
const kinds = exportKind.options;
const range = 'from=2026-10-13&to=2026-11-21';
const hostile = [
  '=1+1',
  '+1',
  '-1',
  '@sum(a1)',
  '\tx',
  '\rx',
  '＝1',
  '"=1"',
  "'=1",
  'a "quoted", text\r\nin two lines',
  '-3',
];

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  history = await seedHistory(api.db.pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: 6,
    days: 40,
    lastDay: '2026-11-21',
    gapShare: 0.2,
    serpDays: 2,
  });
  appId = history.appIds[0]!;
  const app = { id: appId, listingId: history.keywords[0]!.listingId };
  await insertReviews(
    api,
    app,
    hostile.map((body) => ({ body, title: body })),
  );
  await insertCoverage(api, app);
  await insertChart(api, { country: 'us' }, '2026-11-20', [app.listingId]);
  await api.db.pool.query(
    `insert into listing_days (listing_id, country, on_date, rating, rating_count, installs,
       price_micros, read_at)
     select $1, 'us', day, 4.25, 1200, 9007199254740993, 1990000, 
       day + time '08:00' at time zone 'UTC'
     from unnest('{2020-01-01,2026-11-19,2026-11-20}'::date[]) as day`,
    [app.listingId],
  );
  await api.db.pool.query(
    `insert into rating_days (listing_id, country, on_date, rating, rating_count, histogram)
     values ($1, 'us', '2026-11-20', 4.3, 1201, '{1,2,3,4,5}'),
       ($1, 'us', '2026-11-21', 4.4, 1300, null)`,
    [app.listingId],
  );
  await api.db.pool.query('update keywords set note = $2, tags = $3 where id = $1', [
    history.keywords[0]!.id,
    '=cmd()',
    ['one', 'two'],
  ]);
});
afterAll(() => api.close());

const fetchText = (path: string, who: Account | { headers: Record<string, string> } = ann) =>
  api.raw(path, {}, who);

async function readItems(kind: string, query = range): Promise<Record<string, unknown>[]> {
  const response = await fetchText(`/apps/${appId}/exports/${kind}?${query}`);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ]);
  expect(response.body).toMatchObject({ kind, appId, count: response.body.items.length });
  return response.body.items;
}

async function parseTable(kind: string, query = range): Promise<Record<string, string>[]> {
  const response = await fetchText(
    `/apps/${appId}/exports/${kind}?format=csv${query && `&${query}`}`,
  );
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^text\/csv; charset=utf-8/),
  ]);
  expect(response.text).toMatch(/\r\n$/);
  const [names, ...records] = readCsv(response.text);
  return records.map((record) =>
    Object.fromEntries(names!.map((name, index) => [name, record[index]!])),
  );
}

describe('exported rankings', () => {
  test('contain every day of every keyword, newest first, with reasons for gaps', async () => {
    const items = await readItems('rankings');
    expect(items).toHaveLength(6 * 40);
    const cells = items.map((item) => [item['keywordId'], item['date']].join(' '));
    const days = history.days.toReversed();
    expect(cells).toEqual(history.keywords.flatMap(({ id }) => days.map((day) => `${id} ${day}`)));
    for (const keyword of history.keywords) {
      for (const [index, day] of days.entries()) {
        const item = items[history.keywords.indexOf(keyword) * 40 + index]!;
        const truth = history.groundTruthOf(keyword, day);
        const reason = hasReason(keyword, day) ? 'store_error' : 'not_yet_run';
        expect(item).toMatchObject(
          truth
            ? { position: truth.position, depth: truth.depth }
            : { state: 'not_checked', reason },
        );
      }
    }
  });

  test('are exactly the daily ranks of the list', async () => {
    const items = await readItems('rankings');
    const list = await api.ok(
      'GET /apps/{id}/rankings',
      { params: { id: appId }, query: { from: '2026-10-13', fill: 'gaps', limit: 500 } },
      ann,
    );
    const key = (item: { keywordId?: unknown; date?: unknown }) =>
      `${String(item.keywordId)} ${String(item.date)}`;
    const shown = new Map(list.items.map((item) => [key(item), item]));
    expect(shown.size).toBe(items.length);
    for (const { phrase: _phrase, country: _country, device: _device, ...cell } of items)
      expect(cell).toEqual(shown.get(key(cell)));
  });

  test('in CSV have an empty position with its depth, and a readable display', async () => {
    const [rows, items] = [await parseTable('rankings'), await readItems('rankings')];
    expect(rows).toHaveLength(items.length);
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      const row = rows[index]!;
      seen.add(row['state']!);
      const expected = {
        ranked: {
          position: String(item['position']),
          depth: String(item['depth']),
          positionDisplay: String(item['position']),
          reason: '',
        },
        not_found: {
          position: '',
          depth: String(item['depth']),
          positionDisplay: `>${String(item['depth'])}`,
          reason: '',
        },
        not_checked: {
          position: '',
          depth: '',
          positionDisplay: `not checked (${String(item['reason'])})`,
          reason: item['reason'],
          checkedAt: '',
        },
      }[row['state'] as 'ranked'];
      expect(row).toMatchObject(expected);
      expect(row['position']).not.toBe('0');
    }
    expect([...seen].toSorted()).toEqual(['not_checked', 'not_found', 'ranked']);
  });

  test('contain nothing from before tracking, and nothing deeper', async () => {
    const { id } = history.keywords[1]!;
    const { rows } = await api.db.pool.query(
      'update keywords set tracking_periods = $2 where id = $1 returning (select ' +
        'tracking_periods from keywords where id = $1) as old',
      [
        id,
        JSON.stringify([
          ['2026-11-10', 5],
          ['2026-11-15', 0],
        ]),
      ],
    );
    const cells = (await readItems('rankings')).filter((item) => item['keywordId'] === id);
    expect(cells.map((cell) => cell['date']).toSorted()[0]).toBe('2026-11-10');
    expect(
      cells
        .filter((cell) => String(cell['date']) >= '2026-11-15')
        .every((cell) => cell['reason'] === 'paused'),
    ).toBe(true);
    expect(
      cells.every((cell) => Number(cell['depth'] ?? 0) <= 5 && Number(cell['position'] ?? 0) <= 5),
    ).toBe(true);
    await api.db.pool.query('update keywords set tracking_periods = $2 where id = $1', [
      id,
      JSON.stringify(rows[0].old),
    ]);
  });
});

describe('other exports', () => {
  test('contain keywords as they are now, with tags in one field', async () => {
    const items = await readItems('keywords', '');
    const list = await api.ok('GET /apps/{id}/keywords', { params: { id: appId } }, ann);
    expect(items).toEqual(list.items);
    const row = (await parseTable('keywords', '')).find(
      ({ id }) => id === String(history.keywords[0]!.id),
    )!;
    expect(row).toMatchObject({ tags: 'one;two', note: "'=cmd()", paused: 'false' });
  });

  test('contain results day by day', async () => {
    const items = await readItems('serp');
    const keyword = history.keywords.find((candidate) =>
      items.some((item) => item['keywordId'] === candidate.id),
    )!;
    const day = String(items.find((item) => item['keywordId'] === keyword.id)!['date']);
    const serp = await api.ok(
      'GET /keywords/{keywordId}/serp',
      { params: { keywordId: keyword.id }, query: { date: day, limit: 200 } },
      ann,
    );
    const exported = items.filter(
      (item) => item['keywordId'] === keyword.id && item['date'] === day,
    );
    expect(exported).toEqual(serp.items.map((item) => expect.objectContaining(item)));
    expect(new Set(items.map((item) => item['date'])).size).toBe(2);
  });

  test('contain category ranks with a position or a reason', async () => {
    const items = await readItems('category-ranks');
    expect(items).toContainEqual(
      expect.objectContaining({
        date: '2026-11-20',
        country: 'us',
        chart: 'free',
        state: 'ranked',
        position: 1,
      }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ date: '2026-11-19', state: 'not_checked' }),
    );
    const shown = await api.ok(
      'GET /apps/{id}/category-ranks',
      { params: { id: appId }, query: { from: '2026-10-13', fill: 'gaps', limit: 500 } },
      ann,
    );
    expect(items.slice(0, 500)).toEqual(shown.items);
  });

  test('contain reviews that survive CSV parsing, with formulas neutralized', async () => {
    const response = await fetchText(`/apps/${appId}/exports/reviews?format=csv&${range}`);
    const rows = await parseTable('reviews');
    expect(rows.map((row) => unguardFormula(row['body']!)).toSorted()).toEqual(hostile.toSorted());
    const cells = readCsv(response.text).slice(1).flat();
    expect(cells.filter((cell) => /^["]*[=+\-@\t\r＝＋－＠]/.test(cell))).toEqual([]);
  });

  test('contain the numbers of each tracked day, with exact installs', async () => {
    const text = (await fetchText(`/apps/${appId}/exports/listing-days?format=ndjson&${range}`))
      .text;
    expect(text.match(/"installs":(\w+)/g)).toEqual([
      '"installs":null',
      '"installs":9007199254740993',
      '"installs":9007199254740993',
    ]);
    const items = await readItems('listing-days');
    expect(items.map((item) => [item['date'], item['rating'], item['ratingCount']])).toEqual([
      ['2026-11-21', 4.4, 1300],
      ['2026-11-20', 4.25, 1200],
      ['2026-11-19', 4.25, 1200],
    ]);
    expect(items[1]).toMatchObject({
      competitorId: null,
      country: 'us',
      histogram: [1, 2, 3, 4, 5],
      price: 1.99,
      readAt: '2026-11-20T08:00:00.000Z',
    });
    const [, row] = await parseTable('listing-days');
    expect(row).toMatchObject({ stars5: '5', installs: '9007199254740993' });
  });

  test.each(kinds)('contain the same %s as JSON, NDJSON and CSV', async (kind) => {
    const query = kind === 'keywords' ? '' : range;
    const items = await readItems(kind, query);
    const lines = await fetchText(`/apps/${appId}/exports/${kind}?format=ndjson&${query}`);
    expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const read = lines.text
      .split('\n')
      .filter(Boolean)
      .map((line) => parseExact(line));
    expect(read).toEqual(items);
    expect(await parseTable(kind, query)).toHaveLength(items.length);
  });
});

describe('access to streamed exports', () => {
  test('is allowed for read-only tokens and suspended workspaces', async () => {
    const token = await api.token(ann, { readOnly: true });
    expect((await fetchText(`/apps/${appId}/exports/keywords`, token)).status).toBe(200);
    const suspended = await api.signUp({ state: 'suspended' });
    const app = await insertApp(api, suspended);
    expect((await fetchText(`/apps/${app.id}/exports/rankings`, suspended)).body).toMatchObject({
      count: 0,
      items: [],
    });
    expect((await api.raw(`/apps/${app.id}/exports/rankings`)).status).toBe(401);
  });

  test.each(kinds)(
    'returns 404 for %s of another workspace, as for an unknown app',
    async (kind) => {
      const bob = await api.signUp();
      const foreign = await fetchText(`/apps/${appId}/exports/${kind}`, bob);
      const absent = await fetchText(`/apps/2147483000/exports/${kind}`, bob);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
      expect({ ...foreign.body, path: '', timestamp: '' }).toEqual({
        ...absent.body,
        path: '',
        timestamp: '',
      });
    },
  );

  test.each([
    ['rankings?format=xml', 'query.format'],
    ['rankings?from=2026-11-21&to=2026-11-20', 'query.from'],
    ['rankings?from=2025-01-01&to=2026-11-21', 'query.from'],
    ['rankings?limit=5', 'query.limit'],
    ['keywords?from=2026-11-01', 'query.from'],
    ['passwords', 'params.kind'],
  ])('refuses %s in the envelope, before the first byte', async (path, where) => {
    const before = await describeTables(api);
    const response = await fetchText(`/apps/${appId}/exports/${path}`);
    expect([response.status, response.body.code, response.body.issues[0].path]).toEqual([
      400,
      'invalid_request',
      where,
    ]);
    expect(await describeTables(api)).toEqual(before);
  });
});

/** `fetch` decompresses by itself. */
function fetchPacked(
  path: string,
  encoding: string,
): Promise<{ encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${api.url}${path}`,
      { headers: { ...ann.headers, 'accept-encoding': encoding } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject).end();
  });
}

describe('the stream', () => {
  test('is compressed as the client asks, with the same content', async () => {
    const path = `/apps/${appId}/exports/rankings?format=csv&${range}`;
    const plain = (await fetchPacked(path, 'identity')).bytes;
    const [gzip, br] = [await fetchPacked(path, 'gzip'), await fetchPacked(path, 'br')];
    expect([gzip.encoding, br.encoding]).toEqual(['gzip', 'br']);
    expect(gunzipSync(gzip.bytes)).toEqual(plain);
    expect(brotliDecompressSync(br.bytes)).toEqual(plain);
    expect(gzip.bytes.length).toBeLessThan(plain.length / 3);
  });

  test('holds no connection while the client reads nothing, and ends with the client', async () => {
    const big = await seedHistory(api.db.pool, {
      workspaceId: ann.workspaceId,
      apps: 1,
      markets: 300,
      days: 200,
      lastDay: '2026-11-21',
    });
    const path = `/apps/${big.appIds[0]!}/exports/rankings?from=2026-05-06&to=2026-11-21`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(`${api.url}${path}`, { headers: ann.headers }, resolve).on('error', reject).end();
    });
    await new Promise((resolve) => response.once('readable', resolve));
    const countOpen = async () => {
      const { rows } = await api.db.pool.query(
        'select count(*)::int as open from pg_stat_activity where datname = ' +
          'current_database() and pid <> pg_backend_pid() and xact_start is not null',
      );
      return rows[0].open as number;
    };
    await vi.waitUntil(async () => (await countOpen()) === 0, { timeout: 60_000 });
    response.destroy();
    expect((await fetchText(`/apps/${appId}/exports/keywords`)).status).toBe(200);
  });
});
