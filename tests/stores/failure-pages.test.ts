import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreError } from '#domain/base/ports.ts';
import {
  captcha,
  itunesPages,
  oneApp,
  page,
  playPages,
  send,
  ways,
  type FailurePage,
} from './failure-responses.ts';
import {
  continuation,
  continuationFrame,
  detailsPage,
  ids,
  islandPage,
  itunesBody,
  itunesResult,
  searchData,
  searchPage,
  sparse,
} from './pages.ts';
import { anyOptions, openStores, startStoreServer, type Reply } from './store-server.ts';

/**
 * Everything that a store, a captcha page or a hostile proxy may respond with. None of it may ever
 * count as "not found".
 */
const query = { phrase: 'panda', country: 'us', device: 'iphone', depth: 200 };
const onAndroid = { ...query, provider: 'web', device: 'phone' };
let server: Awaited<ReturnType<typeof startStoreServer>>;
let open: ReturnType<typeof openStores>;

beforeAll(async () => {
  server = await startStoreServer();
});
afterAll(() => server.close());
afterEach(() => open.close());

const queryOf = (store: 'ios' | 'android') =>
  store === 'ios' ? { ...query, provider: 'itunes' } : onAndroid;

async function expectFailure(store: 'ios' | 'android', expected: FailurePage): Promise<void> {
  open = openStores(server.baseUrl, { timeoutMs: expected.timeoutMs ?? 10_000 });
  server.respond(expected.reply);
  const error = await open.stores[store].search(queryOf(store), anyOptions()).then(
    (response) => expect.fail(`read as a response of ${response.items.length} apps`),
    (reason: unknown) => reason as StoreError,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect([error.failure, error.store]).toEqual([expected.failure, store]);
  expect(error.marker).toMatch(expected.marker);
  const requests = expected.requests ?? 1;
  expect([
    error.cost.requests,
    open.counts.granted,
    open.counts.requests,
    server.asked.length,
  ]).toEqual(Array(4).fill(requests));
  expect(open.refusals.map((refusal) => refusal.marker)).toEqual(
    expected.failure === 'refused' ? [error.marker] : [],
  );
  expect(open.samples).toHaveLength(
    expected.failure === 'unreadable' && error.marker !== 'encoding' ? 1 : 0,
  );
  expect(open.samples.every((sample) => sample.body.length <= 65_536)).toBe(true);
}

describe('a bad response is a failure with its reason, never an empty list', () => {
  test.each(Object.keys(ways))('iOS: %s', (name) => expectFailure('ios', ways[name]!));
  test.each(Object.keys(itunesPages))('iOS: %s', (name) =>
    expectFailure('ios', itunesPages[name]!),
  );
  test.each(Object.keys(ways))('Android: %s', (name) => expectFailure('android', ways[name]!));
  test.each(Object.keys(playPages))('Android: %s', (name) =>
    expectFailure('android', playPages[name]!),
  );

  test('a compression bomb costs no more memory than the limit', async () => {
    const before = process.memoryUsage().rss;
    await expectFailure('android', ways['a gzip bomb']!);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('a failure while paging discards the whole search', () => {
  const second: Record<string, Reply> = {
    'a captcha': page(captcha),
    '429': send(429),
    'a frame renamed': page(continuationFrame('[[[]]]', 'xxKhOb')),
    'a payload that is not JSON': page(continuationFrame('{')),
    'a list moved': page(continuationFrame('[[[null,[]]]]')),
    'an item without its id': page(continuationFrame('[[[[["x"]]]]]')),
    'no guard': page(JSON.stringify([['wrb.fr', 'qnKhOb', '[[[[]]]]']])),
    'an error frame': page(`)]}'\n\n[["er",null,null,null,null,400]]`),
    HTML: page('<html></html>'),
    nothing: page(''),
    '503': send(503),
    '400': send(400, `)]}'\n\n[["er",null,null,null,null,400]]`),
  };
  test.each(Object.keys(second))('%s', async (name) => {
    open = openStores(server.baseUrl);
    server.respond((request, response) => {
      if (request.method === 'GET') response.end(searchPage(ids(30), 'TOKEN'));
      else second[name]!(request, response);
    });
    await expect(open.stores.android.search(onAndroid, anyOptions())).rejects.toBeInstanceOf(
      StoreError,
    );
  });
});

describe('responses', () => {
  const search = async (store: 'ios' | 'android', depth = 200) =>
    open.stores[store].search({ ...queryOf(store), depth }, anyOptions());

  test('a market without apps is exhausted and empty', async () => {
    open = openStores(server.baseUrl);
    server.respond(page('{\n "resultCount":0,\n "results": []\n}\n'));
    expect(await search('ios')).toMatchObject({
      items: [],
      end: 'exhausted',
      depthReached: 0,
      cost: { requests: 1 },
      provider: 'itunes',
      language: null,
    });
    server.respond(
      page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 25: [['No results']] })]]] }])),
    );
    expect(await search('android')).toMatchObject({
      items: [],
      end: 'exhausted',
      depthReached: 0,
      provider: 'web',
      language: 'en',
    });
  });

  test('a page without a token is truncated there, enough if no more was requested', async () => {
    open = openStores(server.baseUrl);
    server.respond(page(searchPage(ids(30))));
    expect(await search('android')).toMatchObject({
      end: 'truncated',
      depthReached: 30,
      depthRequested: 200,
    });
    const shallow = await search('android', 10);
    expect([
      shallow.end,
      shallow.depthReached,
      shallow.items.length,
      shallow.cost.requests,
    ]).toEqual(['depth', 10, 10, 1]);
  });

  test('a page about captchas is read like any other', async () => {
    open = openStores(server.baseUrl);
    const html = islandPage([
      {
        rpc: 'lGYRle',
        data: searchData(['com.recaptcha.app']),
        request: ['recaptcha unusual traffic before you continue'],
      },
    ]);
    server.respond(page(html));
    expect((await search('android')).items).toHaveLength(1);
  });

  test.each([
    ['the store rejects the token', (_page: number) => continuationFrame(null), 'truncated', 30, 2],
    [
      'the list ends',
      (at: number) => continuation(ids(25, 31 + at * 25), at < 2 ? `T${at}` : null),
      'exhausted',
      105,
      4,
    ],
    [
      'the depth is reached',
      (at: number) => continuation(ids(25, 31 + at * 25), `T${at}`),
      'depth',
      200,
      8,
    ],
    [
      'pages repeat themselves',
      (_page: number) => continuation(ids(25), 'SAME'),
      'truncated',
      30,
      2,
    ],
    [
      'pages overlap',
      (at: number) => continuation(ids(25, 31 + at * 10), `T${at}`),
      'depth',
      200,
      17,
    ],
    ['pages trickle', (at: number) => continuation(ids(1, 31 + at), `T${at}`), 'truncated', 54, 25],
  ])('when %s, the depth is what was seen', async (_why, next, end, depthReached, requests) => {
    open = openStores(server.baseUrl);
    let at = 0;
    server.respond(
      (request, response) =>
        void response.end(request.method === 'GET' ? searchPage(ids(30), 'FIRST') : next(at++)),
    );
    const response = await search('android');
    expect([
      response.end,
      response.depthReached,
      response.cost.requests,
      server.asked.length,
    ]).toEqual([end, depthReached, requests, requests]);
    expect(response.items.map((item) => item.storeAppId)).toEqual(ids(depthReached));
  });

  test('further pages send the first page’s session, language and country', async () => {
    open = openStores(server.baseUrl);
    server.respond((request, response) => {
      response.setHeader('set-cookie', ['NID=abc; Path=/; HttpOnly', 'bad name=1', 'X=\u00e9']);
      response.end(
        request.method === 'GET' ? searchPage(ids(30), 'FIRST') : continuation(ids(25, 31)),
      );
    });
    await open.stores.android.search({ ...onAndroid, country: 'br' }, anyOptions());
    expect(server.asked[1]!.headers.cookie).toContain('NID=abc');
    expect(server.asked[1]!.headers.cookie).not.toContain('bad');
    expect(server.asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('hl'))).toEqual([
      'pt-BR',
      'pt-BR',
    ]);
    expect(server.asked[1]!.text).toContain('FIRST');
  });

  test('a consent page is accepted once by cookie, and is not a refusal later', async () => {
    open = openStores(server.baseUrl);
    server.respond((request, response) => {
      if (/SOCS=/.test(request.headers.cookie ?? '')) response.end(searchPage(ids(3)));
      else response.writeHead(302, { location: 'https://consent.google.com/m' }).end();
    });
    const response = await search('android');
    expect([response.items.length, response.cost.requests, open.refusals.length]).toEqual([
      3, 2, 0,
    ]);
    expect((await search('android')).cost.requests).toBe(1);
  });

  test('the consent cookie is sent with further pages too', async () => {
    open = openStores(server.baseUrl);
    server.respond((request, response) => {
      if (!/SOCS=/.test(request.headers.cookie ?? ''))
        response.writeHead(302, { location: 'https://consent.google.com/m' }).end();
      else
        response.end(
          request.method === 'GET' ? searchPage(ids(30), 'FIRST') : continuation(ids(25, 31)),
        );
    });
    const response = await search('android');
    expect([response.items.length, response.cost.requests, open.refusals.length]).toEqual([
      55, 3, 0,
    ]);
  });

  test('an unavailable store is requested three times, and may respond the third', async () => {
    open = openStores(server.baseUrl);
    let at = 0;
    server.respond((_request, response) =>
      ++at < 3 ? response.writeHead(503).end() : response.end(oneApp),
    );
    const response = await search('ios');
    expect([
      response.items.length,
      response.cost.requests,
      open.events.map((event) => event.outcome),
    ]).toEqual([1, 3, ['503', '503', 'ok']]);
  });

  test.each([
    ['gzip', gzipSync(oneApp)],
    ['br', brotliCompressSync(oneApp)],
    ['identity', Buffer.from(oneApp)],
  ])('a %s body is read, and its bytes on the wire are counted', async (encoding, body) => {
    open = openStores(server.baseUrl);
    server.respond(
      send(200, body, { 'content-encoding': encoding, 'content-type': 'text/javascript' }),
    );
    const response = await search('ios');
    expect([response.items.length, response.cost.bytes, open.counts.bytes]).toEqual([
      1,
      body.length,
      body.length,
    ]);
    expect(server.asked[0]!.headers['accept-encoding']).toBe('gzip, br');
  });

  test('Retry-After is passed on, as seconds or a date', async () => {
    open = openStores(server.baseUrl);
    server.respond(send(429, '', { 'retry-after': '120' }));
    await expect(search('ios')).rejects.toMatchObject({ retryAfterMs: 120_000 });
    server.respond(send(429, '', { 'retry-after': 'Wed, 15 Jul 2026 12:05:00 GMT' }));
    await expect(search('android')).rejects.toMatchObject({ retryAfterMs: 300_000 });
    server.respond(send(503, '', { 'retry-after': '60' }));
    await expect(search('ios')).rejects.toMatchObject({ retryAfterMs: 60_000 });
    expect(open.refusals.map((refusal) => refusal.retryAfterMs)).toEqual([
      120_000, 300_000, 60_000,
    ]);
  });

  test('an aborted request rejects with the caller’s reason', async () => {
    open = openStores(server.baseUrl);
    const controller = new AbortController();
    server.respond(() => controller.abort(new Error('shutting down')));
    await expect(
      open.stores.ios.search(
        { ...query, provider: 'itunes' },
        { signal: controller.signal, lane: 'run' },
      ),
    ).rejects.toThrow('shutting down');
    expect(server.asked).toHaveLength(1);
  });

  test('invalid queries cost no request', async () => {
    open = openStores(server.baseUrl);
    const { ios, android } = open.stores;
    const wrong = [
      ios.search({ ...query, provider: 'itunes', phrase: ' ' }, anyOptions()),
      ios.search({ ...query, provider: 'itunes', country: 'USA' }, anyOptions()),
      ios.search({ ...query, provider: 'constructor' }, anyOptions()),
      android.search({ ...onAndroid, depth: 0 }, anyOptions()),
      ios.listings({ storeAppIds: ['1,2'], country: 'us' }, anyOptions()),
      android.listings({ storeAppIds: ['../x'], country: 'us' }, anyOptions()),
    ];
    for (const promise of wrong)
      await expect(promise).rejects.toMatchObject({ failure: 'bad_request' });
    expect(open.counts.granted).toBe(0);
  });
});

describe('listings', () => {
  test('iOS: 450 apps take three lookups; absent apps are missing, Mac apps are not', async () => {
    open = openStores(server.baseUrl);
    server.respond((request, response) => {
      const asked = new URL(request.url!, 'http://x').searchParams
        .get('id')!
        .split(',')
        .map(Number);
      const results = asked
        .filter((id) => id % 3 !== 0)
        .map((id) => itunesResult(id, id === 100 ? { kind: 'mac-software' } : {}));
      response.end(itunesBody(results.reverse()));
    });
    const storeAppIds = Array.from({ length: 450 }, (_, index) => String(index + 1));
    const response = await open.stores.ios.listings(
      { storeAppIds: [...storeAppIds, '1'], country: 'us' },
      anyOptions(),
    );
    expect([response.found.length, response.missing.length, response.cost.requests]).toEqual([
      300, 150, 3,
    ]);
    expect(response.found.map((listing) => listing.storeAppId)).toEqual(
      storeAppIds.filter((id) => Number(id) % 3 !== 0),
    );
    expect(server.asked[0]!.url).toContain('/itunes.apple.com/lookup?id=1,2,3,');
  });

  test('Android: 404 is missing, and no other page is', async () => {
    open = openStores(server.baseUrl);
    server.respond((request, response) => {
      const id = new URL(request.url!, 'http://x').searchParams.get('id')!;
      response.writeHead(id === 'com.gone.app' ? 404 : 200).end(detailsPage(id));
    });
    const { android } = open.stores;
    const response = await android.listings(
      { storeAppIds: ['com.a.b', 'com.gone.app'], country: 'de' },
      anyOptions(),
    );
    expect([
      response.found.map((listing) => listing.installs),
      response.missing,
      response.language,
    ]).toEqual([[1234n], ['com.gone.app'], 'de']);
    for (const body of [
      '',
      captcha,
      '<html>',
      detailsPage('com.other.app'),
      searchPage(ids(3)),
      detailsPage('com.a.b').replace('Name of', '\u0000'),
    ]) {
      server.respond(page(body.replace('"\u0000 com.a.b"', '7')));
      await expect(
        android.listings({ storeAppIds: ['com.a.b'], country: 'us' }, anyOptions()),
      ).rejects.toBeInstanceOf(StoreError);
    }
  });

  test.each(['', '<html>', '{"resultCount":1,"results":[]}', '{}'])(
    'iOS: %j is never "not offered here"',
    async (body) => {
      open = openStores(server.baseUrl);
      server.respond(page(body));
      await expect(
        open.stores.ios.listings({ storeAppIds: ['1'], country: 'us' }, anyOptions()),
      ).rejects.toBeInstanceOf(StoreError);
    },
  );
});
