import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertCompetitor, insertListings } from './competitors.fixtures.ts';
import { describeTables, insertApp, recordMarketSearch } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
let app: { id: number; listingId: number };
let competitorId: number;
let keywords: Record<string, { id: number; marketId: number }>;

const devices = ['iphone', 'ipad', 'mac'];
const phrase = 'habit tracker';

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  app = await insertApp(api, ann);
  const others = await insertListings(api, 12);
  competitorId = await insertCompetitor(api, ann.workspaceId, {
    appId: app.id,
    listingId: others[0]!,
    since: '2026-11-01T00:00:00Z',
  });
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: [phrase], countries: ['us'], devices } },
    ann,
  );
  const { rows } = await api.db.pool.query('select id, device from markets order by id');
  const marketOf = new Map(rows.map((row) => [row.device as string, row.id as number]));
  keywords = Object.fromEntries(
    added.map(({ id, device }) => [device, { id, marketId: marketOf.get(device)! }]),
  );
  // The app is third on iPhones, first on iPads, and nowhere on Macs.
  const [one, two, ...rest] = others;
  const orders = {
    iphone: [one!, two!, app.listingId, ...rest],
    ipad: [app.listingId, two!, ...rest],
    mac: [two!, one!, ...rest],
  };
  api.clock.advance(60_000);
  for (const [device, listingIds] of Object.entries(orders))
    await recordMarketSearch(api, { marketId: keywords[device]!.marketId, listingIds });
});
afterAll(() => api.close());

const seen = ['sessions', 'tokens'];
const params = () => ({ id: app.id });
const get = (path: string, who = ann) => api.raw(path, {}, who);
const add = (who: Account, id: number, body: object) =>
  api.call('POST /apps/{id}/keywords', { params: { id }, body: body as never }, who);

describe('a keyword', () => {
  test('without a device is the one on the first device of its store', async () => {
    const same = await add(ann, app.id, { keywords: [{ phrase, country: 'us' }] });
    expect(same.body).toMatchObject({
      added: [],
      existing: [{ id: keywords.iphone!.id, device: 'iphone' }],
    });
    const android = await insertApp(api, ann, { store: 'android', storeAppId: 'com.devices' });
    const made = await add(ann, android.id, { phrases: [phrase], countries: ['us'] });
    expect(made.body.added).toMatchObject([{ device: 'phone' }]);
  });

  test('on another device has a market, a position and a cost of its own', async () => {
    const { items } = await api.ok('GET /apps/{id}/keywords', { params: params() }, ann);
    expect(items.map(({ device, latest }) => [device, latest!.position])).toEqual([
      ['iphone', 3],
      ['ipad', 1],
      ['mac', null],
    ]);
    expect(new Set(Object.values(keywords).map(({ marketId }) => marketId)).size).toBe(3);
    const body = { phrases: ['one', 'two'], countries: ['us', 'de'], devices };
    const preview = await api.ok(
      'POST /apps/{id}/keywords/preview',
      { params: params(), body },
      ann,
    );
    expect(preview.items).toHaveLength(12);
    expect(preview.items.map(({ requestsPerDay }) => requestsPerDay)).toEqual(Array(12).fill(1));
    expect(preview.budgetDelta.searchesPerDay).toBe(12);
    const again = await api.ok(
      'POST /apps/{id}/keywords/preview',
      {
        params: params(),
        body: { phrases: [phrase], countries: ['us', 'de'], devices: ['ipad', 'ipad'] },
      },
      ann,
    );
    expect(again.items.map(({ state }) => state)).toEqual([
      'existing',
      'duplicate',
      'new',
      'duplicate',
    ]);
    expect(again.budgetDelta.searchesPerDay).toBe(1);
    const { fanOut } = await api.ok('GET /jobs/budget', {}, ann);
    const ios = fanOut.find(({ store }) => store === 'ios')!;
    expect(ios.kinds.rankChecks.jobs).toBeGreaterThanOrEqual(3);
  });

  test('keeps its device: another one is another keyword', async () => {
    const before = await describeTables(api, seen);
    const response = await api.raw(
      `/keywords/${keywords.ipad!.id}`,
      {
        method: 'PATCH',
        body: JSON.stringify({ device: 'mac' }),
        headers: { 'content-type': 'application/json' },
      },
      ann,
    );
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    expect(await describeTables(api, seen)).toEqual(before);
  });

  test('shows nothing of a search that only others made on its device', async () => {
    const ben = await api.signUp();
    const theirs = await insertApp(api, ben, { storeAppId: '4711' });
    const onPad = { keywords: [{ phrase, country: 'us', device: 'ipad' }] };
    const { body } = await add(ben, theirs.id, onPad);
    expect(body.added).toMatchObject([{ device: 'ipad', latest: null, pending: 'queued' }]);
    const { rows } = await api.db.pool.query('select market_id from keywords where id = $1', [
      body.added[0].id,
    ]);
    expect(rows).toEqual([{ market_id: keywords.ipad!.marketId }]);
    const foreign = await get(`/keywords/${keywords.ipad!.id}`, ben);
    expect(foreign.status).toBe(404);
  });

  test('on a device that its store lacks is refused, and nothing is written', async () => {
    const android = await insertApp(api, ann, { store: 'android', storeAppId: 'com.refused' });
    const before = await describeTables(api, seen);
    for (const [id, device, message] of [
      [app.id, 'phone', 'one of iphone, ipad, mac'],
      [android.id, 'ipad', 'one of phone'],
    ] as const) {
      const body = { keywords: [{ phrase: 'fine', country: 'us', device }] };
      for (const path of ['', '/preview']) {
        const response = await api.raw(
          `/apps/${id}/keywords${path}`,
          {
            method: 'POST',
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          },
          ann,
        );
        expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
        expect(response.body.issues).toEqual([
          { path: 'keywords.0.device', code: 'not_one_of', message, limit: null, actual: device },
        ]);
      }
    }
    expect(await describeTables(api, seen)).toEqual(before);
  });
});

describe('the filter by device', () => {
  const day = '2026-11-21';
  /** The number of keywords that each response is about. */
  const counts: Record<string, (body: never) => number> = {
    [`/apps/{id}/keywords?`]: ({ total }: { total: number }) => total,
    [`/apps/{id}/rankings?from=${day}`]: ({ total }: { total: number }) => total,
    [`/apps/{id}/rankings/matrix?from=${day}`]: ({ rows }: { rows: [] }) => rows.length,
    [`/apps/{id}/rankings/distribution?from=${day}&to=${day}`]: ({
      items: [{ top1, top2to3, notFound }],
    }: {
      items: [{ top1: number; top2to3: number; notFound: number }];
    }) => top1 + top2to3 + notFound,
    [`/apps/{id}/rankings/compare?a=${day}&b=${day}`]: ({ total }: { total: number }) => total,
    '/rankings/latest?appIds={id}': ({ total }: { total: number }) => total,
    '/apps/{id}/visibility?': ({ inputs }: { inputs: { keywords: number } }) => inputs.keywords,
    '/apps/{id}/overview?': ({ tracked }: { tracked: number }) => tracked,
    '/apps/{id}/opportunities?': ({ total, unscored }: { total: number; unscored: number }) =>
      total + unscored,
    '/apps/{id}/serp/leaders?top=2': ({ serps }: { serps: number }) => serps,
    '/apps/{id}/competitors?': ({
      items: [{ overlap }],
    }: {
      items: [{ overlap: { compared: number } }];
    }) => overlap.compared,
    [`/apps/{id}/competitors/{cid}/rankings?from=${day}`]: ({ items }: { items: [] }) =>
      items.length,
    '/apps/{id}/competitors/suggestions?': ({ items: [best] }: { items: { keywords: number }[] }) =>
      best?.keywords ?? 0,
  };

  test.each(Object.keys(counts))('%s', async (path) => {
    const read = async (device: string) => {
      const address = path.replace('{id}', String(app.id)).replace('{cid}', String(competitorId));
      const { status, body } = await get(`${address}${device}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return counts[path]!(body as never);
    };
    const all = await read('');
    expect(all).toBe(3);
    expect(await read('&device=iphone')).toBe(1);
    expect(await read('&device=ipad&country=us')).toBe(1);
    expect(await read('&device=mac')).toBe(1);
  });

  test('finds the gaps of one device, and names the device of each row', async () => {
    const gaps = async (query: object) =>
      (await api.ok('GET /apps/{id}/gaps', { params: params(), query }, ann)).items.map(
        ({ keywordId, device, kind }) => [keywordId, device, kind],
      );
    expect(await gaps({})).toEqual([
      [keywords.iphone!.id, 'iphone', 'behind'],
      [keywords.mac!.id, 'mac', 'pure'],
    ]);
    expect(await gaps({ device: 'mac' })).toEqual([[keywords.mac!.id, 'mac', 'pure']]);
    expect(await gaps({ device: 'ipad' })).toEqual([]);
    const latest = await api.ok('GET /rankings/latest', { query: { device: 'ipad' } }, ann);
    expect(latest.items).toMatchObject([{ device: 'ipad', latest: { position: 1 } }]);
  });

  test('matches nothing on a device of another store, and refuses an unknown one', async () => {
    const none = await api.ok(
      'GET /apps/{id}/keywords',
      { params: params(), query: { device: 'phone' } },
      ann,
    );
    expect(none.items).toEqual([]);
    for (const device of ['watch', 'iPad', ''])
      expect((await get(`/apps/${app.id}/keywords?device=${device}`)).status).toBe(400);
  });
});

test.each([
  ['/store/serp?store=android&phrase=a&country=us&device=ipad', 'one of phone'],
  ['/store/serp?store=ios&phrase=a&country=us&device=phone', 'one of iphone, ipad, mac'],
  ['/store/apps/search?store=android&q=a&country=us&device=mac', 'one of phone'],
  ['/apps/{id}/phrase-score?phrase=a&country=us&device=tv', 'one of iphone, ipad, mac'],
  ['/apps/{id}/keyword-suggestions?device=tv&source=serp', 'one of iphone, ipad, mac'],
  ['/apps/{id}/keyword-field/analysis?device=tv', 'one of iphone, ipad, mac'],
])('%s is refused before any request', async (path, message) => {
  const { status, body } = await get(path.replace('{id}', String(app.id)));
  expect([status, body.code, body.issues]).toEqual([
    400,
    'invalid_request',
    [expect.objectContaining({ path: 'query.device', message })],
  ]);
});

test('suggestions and the keyword field are about the keywords of one device', async () => {
  const { id } = await insertApp(api, ann);
  const { added } = (
    await add(ann, id, { keywords: [{ phrase: 'water log', country: 'us', device: 'mac' }] })
  ).body;
  const suggest = async (device: string) => {
    const query = { device, phrase: 'water log', source: 'listing' } as const;
    return api.ok('GET /apps/{id}/keyword-suggestions', { params: { id }, query }, ann);
  };
  expect((await suggest('mac')).items.every(({ alreadyTracked }) => alreadyTracked)).toBe(true);
  const analyse = (device?: string) =>
    api.ok(
      'POST /apps/{id}/keyword-field/preview',
      { params: { id }, query: device === undefined ? {} : { device }, body: { text: 'water' } },
      ann,
    );
  const onMac = await analyse('mac');
  expect(onMac).toMatchObject({
    device: 'mac',
    tokens: [{ term: 'water', trackedKeywordIds: [added[0].id] }],
  });
  expect(await analyse()).toMatchObject({
    device: 'iphone',
    tokens: [{ term: 'water', trackedKeywordIds: [] }],
  });
});

test('exports of keywords, positions and results have the device', async () => {
  for (const [kind, count] of [
    ['keywords', 3],
    ['rankings', 3],
    ['serp', 37],
  ] as const) {
    const path = `/apps/${app.id}/exports/${kind}?format=`;
    const range = kind === 'keywords' ? '' : '&from=2026-11-21&to=2026-11-21';
    const { items } = (await get(`${path}json${range}`)).body as { items: { device: string }[] };
    expect(items).toHaveLength(count);
    expect(new Set(items.map(({ device }) => device))).toEqual(new Set(devices));
    const [header, ...lines] = (await get(`${path}csv${range}`)).text.trim().split('\r\n');
    const column = header!.split(',').indexOf('device');
    expect(header!.split(',')[column - 1]).toBe('country');
    expect(lines.map((line) => line.split(',')[column]).toSorted()).toEqual(
      items.map(({ device }) => device).toSorted(),
    );
  }
});

test('a history of another tool belongs to the keyword of its device', async () => {
  const send = (text: string, more: object = {}) =>
    api.raw(
      '/workspace/imports',
      {
        method: 'POST',
        body: JSON.stringify({
          format: 'csv',
          appId: app.id,
          text,
          mapping: { phrase: 'p', date: 'd', position: 'n', device: 'on' },
          country: 'us',
          depth: 100,
          ...more,
        }),
        headers: { 'content-type': 'application/json' },
      },
      ann,
    );
  const rows = [`${phrase},2026-10-01,7,iPad`, `${phrase},2026-10-01,9,`];
  const { body } = await send(['p,d,n,on', ...rows].join('\r\n'));
  expect(body.rows).toMatchObject([
    { keywordId: keywords.ipad!.id, outcome: 'added' },
    { keywordId: keywords.iphone!.id, outcome: 'added' },
  ]);
  const onMac = await send(`p,d,n\r\n${phrase},2026-10-02,4`, {
    device: 'mac',
    mapping: { phrase: 'p', date: 'd', position: 'n' },
  });
  expect(onMac.body.rows).toMatchObject([{ keywordId: keywords.mac!.id }]);
  const refused = await send(`p,d,n,on\r\n${phrase},2026-10-03,4,phone`);
  expect(refused.body.issues[0]).toMatchObject({
    path: 'rows.1.device',
    message: 'one of iphone, ipad, mac',
  });
});
