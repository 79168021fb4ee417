import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StoreError, type StoreFailure } from '../../src/domain/ports.ts';
import { anyOptions, openStores, startStoreServer, type Reply } from './store-server.ts';
import { continuation, continuationFrame, detailsPage, ids, islandPage, itunesBody, itunesResult, playItem, searchData, searchPage, sparse } from './pages.ts';

/** Everything a store, a gatekeeper or a hostile proxy may answer with. None of it may ever read as "not found". */
const query = { phrase: 'panda', country: 'us', depth: 200 };
let server: Awaited<ReturnType<typeof startStoreServer>>;
let open: ReturnType<typeof openStores>;

beforeAll(async () => {
  server = await startStoreServer();
});
afterAll(() => server.close());
afterEach(() => open.close());

const send = (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Reply =>
  (_request, response) => void response.writeHead(status, headers).end(body);
const page = (body: string | Buffer) => send(200, body);
const gzip = { 'content-encoding': 'gzip' };
const captcha = '<html><form id="captcha-form"><div class="g-recaptcha"></div></form>Our systems have detected unusual traffic</html>';
const consent = '<!doctype html><title>Before you continue</title><form action="https://consent.google.com/save"></form>';
const tooMany = '<html><h1>429 Too Many Requests</h1>Please reduce your request rate</html>';
const oneApp = itunesBody([itunesResult(1)]);
const searchJson = JSON.stringify(searchData(['com.a.b']));

interface FailurePage {
  reply: Reply;
  failure: StoreFailure;
  marker: string | RegExp;
  /** Attempts it should have cost; 1. */
  requests?: number;
  timeoutMs?: number;
}

const drip: Reply = (_request, response) => {
  response.writeHead(200, { 'content-length': '100000' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};
const bomb: Reply = (_request, response) => {
  // Gzip members in a row are one valid stream: 256 MiB in 260 KB.
  const member = gzipSync(Buffer.alloc(1024 * 1024));
  response.writeHead(200, gzip).end(Buffer.concat(Array<Buffer>(256).fill(member)));
};

const ways: Record<string, FailurePage> = {
  '429 with HTML': { reply: send(429, tooMany), failure: 'refused', marker: '429' },
  '403 without a body': { reply: send(403), failure: 'refused', marker: '403-empty' },
  '403 with HTML': { reply: send(403, '<html>Forbidden'), failure: 'refused', marker: '403' },
  '503': { reply: send(503, '<html>Service Unavailable'), failure: 'unavailable', marker: '503', requests: 3 },
  '500 without a body': { reply: send(500), failure: 'unavailable', marker: '500', requests: 3 },
  '502 of a proxy': { reply: send(502, 'Bad Gateway'), failure: 'unavailable', marker: '502', requests: 3 },
  '407 of a proxy': { reply: send(407), failure: 'unavailable', marker: '407', requests: 3 },
  '204 without an answer': { reply: send(204), failure: 'unreadable', marker: 'status-204' },
  'a redirect inward': { reply: send(302, '', { location: 'http://169.254.169.254/latest' }), failure: 'unreadable', marker: 'redirect' },
  'a redirect to nowhere': { reply: send(301), failure: 'unreadable', marker: 'redirect' },
  'a redirect to the captcha': { reply: send(302, '', { location: 'https://www.google.com/sorry/index?q=1' }), failure: 'refused', marker: 'sorry' },
  'a reset in the middle': {
    reply: (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"resultCount":0,', () => response.socket!.resetAndDestroy());
    },
    failure: 'unavailable', marker: 'reset', requests: 3,
  },
  'a hang-up before the headers': { reply: (request) => void request.socket.destroy(), failure: 'unavailable', marker: 'reset', requests: 3 },
  'a body shorter than announced': {
    reply: (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(oneApp, () => response.socket!.end());
    },
    failure: 'unavailable', marker: /reset|truncated/, requests: 3,
  },
  'truncated gzip': { reply: send(200, gzipSync(oneApp.repeat(50)).subarray(0, 60), gzip), failure: 'unavailable', marker: 'truncated', requests: 3 },
  'gzip that is not': { reply: send(200, oneApp, gzip), failure: 'unavailable', marker: 'corrupt', requests: 3 },
  'brotli that is not': { reply: send(200, oneApp, { 'content-encoding': 'br' }), failure: 'unavailable', marker: /corrupt|truncated/, requests: 3 },
  'an encoding nobody asked for': { reply: send(200, oneApp, { 'content-encoding': 'zstd' }), failure: 'unreadable', marker: 'encoding' },
  'gzip in gzip': { reply: send(200, gzipSync(gzipSync(oneApp)), { 'content-encoding': 'gzip, gzip' }), failure: 'unreadable', marker: 'encoding' },
  'a gzip bomb': { reply: bomb, failure: 'unavailable', marker: 'oversized', requests: 3 },
  '9 MB of plain text': { reply: page(Buffer.alloc(9 * 1024 * 1024, ' ')), failure: 'unavailable', marker: 'oversized', requests: 3 },
  'a slow drip': { reply: drip, failure: 'unavailable', marker: 'timeout', requests: 3, timeoutMs: 150 },
  'silence': { reply: () => {}, failure: 'unavailable', marker: 'timeout', requests: 3, timeoutMs: 100 },
  'plain text': { reply: page('CustomerReviews RSS page depth is limited to 10'), failure: 'unreadable', marker: /json|rpc-missing/ },
  'random bytes': { reply: page(Buffer.from([0, 255, 254, 1, 2, 3])), failure: 'unreadable', marker: /json|rpc-missing/ },
};

const itunesPages: Record<string, FailurePage> = {
  'an empty 200': { reply: page(''), failure: 'refused', marker: 'empty' },
  'newlines only': { reply: page('\n\n\n'), failure: 'refused', marker: 'empty' },
  'HTML for JSON': { reply: page('<!DOCTYPE html><html>'), failure: 'refused', marker: 'html' },
  'JSON cut off': { reply: page(oneApp.slice(0, -20)), failure: 'unreadable', marker: 'json' },
  'null': { reply: page('null'), failure: 'unreadable', marker: 'envelope' },
  'an array': { reply: page('[]'), failure: 'unreadable', marker: 'envelope' },
  'no results key': { reply: page('{"resultCount":0}'), failure: 'unreadable', marker: 'results' },
  'results as an object': { reply: page('{"resultCount":0,"results":{}}'), failure: 'unreadable', marker: 'results' },
  'resultCount lying high': { reply: page('{"resultCount":3,"results":[]}'), failure: 'unreadable', marker: 'result-count' },
  'resultCount lying low': { reply: page(JSON.stringify({ resultCount: 0, results: [itunesResult(1)] })), failure: 'unreadable', marker: 'result-count' },
  'resultCount as text': { reply: page('{"resultCount":"0","results":[]}'), failure: 'unreadable', marker: 'result-count' },
  'a million results': { reply: page(`{"resultCount":1000000,"results":[${'{},'.repeat(999_999)}{}]}`), failure: 'unreadable', marker: 'too-many' },
  'results that are numbers': { reply: page(itunesBody([1, 2])), failure: 'unreadable', marker: 'result' },
  'null among the results': { reply: page(itunesBody([null])), failure: 'unreadable', marker: 'result' },
  'the kind renamed': { reply: page(itunesBody([itunesResult(1, { kind: 'app' })])), failure: 'unreadable', marker: 'no-software' },
  'the kind gone': { reply: page(itunesBody([itunesResult(1, { kind: undefined })])), failure: 'unreadable', marker: 'kind' },
  'trackId as text': { reply: page(itunesBody([itunesResult(1, { trackId: '1' })])), failure: 'unreadable', marker: 'track-id' },
  'trackName gone': { reply: page(itunesBody([itunesResult(1, { trackName: undefined })])), failure: 'unreadable', marker: 'track-name' },
  'trackName as a number': { reply: page(itunesBody([itunesResult(1, { trackName: 7 })])), failure: 'unreadable', marker: 'type' },
  'a rating of 50': { reply: page(itunesBody([itunesResult(1, { averageUserRating: 50 })])), failure: 'unreadable', marker: 'type' },
  'a count as text': { reply: page(itunesBody([itunesResult(1, { userRatingCount: '12' })])), failure: 'unreadable', marker: 'type' },
  'deep nesting': { reply: page('['.repeat(100_000)), failure: 'unreadable', marker: 'json' },
  'errorMessage with 200': { reply: page('{"errorMessage":"Invalid value(s) for key(s): [limit]"}'), failure: 'bad_request', marker: 'error-message' },
  'errorMessage with 400': { reply: send(400, '{"errorMessage":"Invalid value(s) for key(s): [term]"}'), failure: 'bad_request', marker: 'error-message' },
  '404': { reply: send(404, itunesBody([])), failure: 'unreadable', marker: 'status-404' },
};

const playPages: Record<string, FailurePage> = {
  'an empty 200': { reply: page(''), failure: 'unreadable', marker: 'empty' },
  'a captcha': { reply: page(captcha), failure: 'refused', marker: 'captcha' },
  'a captcha with 503': { reply: send(503, captcha), failure: 'refused', marker: 'captcha' },
  'a consent page twice': { reply: page(consent), failure: 'refused', marker: 'consent', requests: 2 },
  'a consent redirect twice': { reply: send(302, '', { location: 'https://consent.google.com/m?continue=x' }), failure: 'refused', marker: 'consent', requests: 2 },
  'a page of some other sort': { reply: page('<html><h1>Welcome</h1></html>'), failure: 'unreadable', marker: 'rpc-missing' },
  'the rpc renamed': { reply: page(searchPage(['com.a.b']).replaceAll('lGYRle', 'qZTsme')), failure: 'unreadable', marker: 'rpc-missing' },
  'the rpc without its data': { reply: page(searchPage(['com.a.b']).replaceAll('AF_initDataCallback', 'AF_other')), failure: 'unreadable', marker: 'rpc-missing' },
  'the page cut off': { reply: page(searchPage(['com.a.b']).slice(0, -80)), failure: 'unreadable', marker: /rpc-missing|island/ },
  'data that are null': { reply: page(islandPage([{ rpc: 'lGYRle', data: null }])), failure: 'unreadable', marker: 'sections' },
  'data that are an empty list': { reply: page(islandPage([{ rpc: 'lGYRle', data: [] }])), failure: 'unreadable', marker: 'sections' },
  'data that are not JSON': { reply: page(islandPage([{ rpc: 'lGYRle', data: null, json: '{a:1}' }])), failure: 'unreadable', marker: 'island' },
  'the sections moved': { reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, null, [searchData(['com.a.b'])]]] }])), failure: 'unreadable', marker: 'sections' },
  'the list moved': { reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 24: [[playItem('com.a.b')], ['']] })]]] }])), failure: 'unreadable', marker: 'list-moved' },
  'the list as text': { reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 22: ['x'] })]]] }])), failure: 'unreadable', marker: 'list' },
  'the ids moved': { reply: page(searchPage(['com.a.b']).replaceAll('"com.a.b",7', '7,"com.a.b"')), failure: 'unreadable', marker: 'app-id' },
  'ids that are numbers': { reply: page(searchPage(['com.a.b']).replaceAll('"com.a.b"', '12')), failure: 'unreadable', marker: 'app-id' },
  'names that are lists': { reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 22: [[playItem('com.a.b', { 3: ['x'] })], ['']] })]]] }])), failure: 'unreadable', marker: 'type' },
  'a rating out of range': { reply: page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 22: [[playItem('com.a.b', { 4: ['9', 9] })], ['']] })]]] }])), failure: 'unreadable', marker: 'type' },
  'a token that is a number': { reply: page(searchPage(['com.a.b'], 7 as never)), failure: 'unreadable', marker: 'token' },
  '400': { reply: send(400, '<html>Bad Request'), failure: 'bad_request', marker: 'status-400' },
  '404 for a search': { reply: send(404, '<html>Not found'), failure: 'unreadable', marker: 'rpc-missing' },
};

async function expectFailure(store: 'ios' | 'android', expected: FailurePage): Promise<void> {
  open = openStores(server.baseUrl, { timeoutMs: expected.timeoutMs ?? 10_000 });
  server.answer(expected.reply);
  const error = await open.stores[store].search(query, anyOptions()).then(
    (answer) => expect.fail(`read as an answer of ${answer.items.length} apps`),
    (reason: unknown) => reason as StoreError,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect([error.failure, error.store]).toEqual([expected.failure, store]);
  expect(error.marker).toMatch(expected.marker);
  const requests = expected.requests ?? 1;
  expect([error.cost.requests, open.counts.granted, open.counts.requests, server.asked.length]).toEqual(Array(4).fill(requests));
  expect(open.refusals.map((refusal) => refusal.marker)).toEqual(expected.failure === 'refused' ? [error.marker] : []);
  expect(open.samples).toHaveLength(expected.failure === 'unreadable' && error.marker !== 'encoding' ? 1 : 0);
  expect(open.samples.every((sample) => sample.body.length <= 65_536)).toBe(true);
}

describe('whatever comes instead of an answer is a failure with its reason, never an empty list', () => {
  test.each(Object.keys(ways))('iOS: %s', (name) => expectFailure('ios', ways[name]!));
  test.each(Object.keys(itunesPages))('iOS: %s', (name) => expectFailure('ios', itunesPages[name]!));
  test.each(Object.keys(ways))('Android: %s', (name) => expectFailure('android', ways[name]!));
  test.each(Object.keys(playPages))('Android: %s', (name) => expectFailure('android', playPages[name]!));

  test('a bomb costs no more memory than the limit', async () => {
    const before = process.memoryUsage().rss;
    await expectFailure('android', ways['a gzip bomb']!);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('a failure in the middle of paging throws the whole search away', () => {
  const second: Record<string, Reply> = {
    'a captcha': page(captcha),
    '429': send(429),
    'a frame renamed': page(continuationFrame('[[[]]]', 'xxKhOb')),
    'a payload that is not JSON': page(continuationFrame('{')),
    'a list moved': page(continuationFrame('[[[null,[]]]]')),
    'an item without its id': page(continuationFrame('[[[[["x"]]]]]')),
    'no guard': page(JSON.stringify([['wrb.fr', 'qnKhOb', '[[[[]]]]']])),
    'an error frame': page(`)]}'\n\n[["er",null,null,null,null,400]]`),
    'HTML': page('<html></html>'),
    'nothing': page(''),
    '503': send(503),
    '400': send(400, `)]}'\n\n[["er",null,null,null,null,400]]`),
  };
  test.each(Object.keys(second))('%s', async (name) => {
    open = openStores(server.baseUrl);
    server.answer((request, response) => {
      if (request.method === 'GET') response.end(searchPage(ids(30), 'TOKEN'));
      else second[name]!(request, response);
    });
    await expect(open.stores.android.search(query, anyOptions())).rejects.toBeInstanceOf(StoreError);
  });
});

describe('answers', () => {
  const search = async (store: 'ios' | 'android', depth = 200) => open.stores[store].search({ ...query, depth }, anyOptions());

  test('a market without apps is an answer: exhausted, and empty', async () => {
    open = openStores(server.baseUrl);
    server.answer(page('{\n "resultCount":0,\n "results": []\n}\n'));
    expect(await search('ios')).toMatchObject({ items: [], end: 'exhausted', depthReached: 0, cost: { requests: 1 }, provider: 'itunes', language: null });
    server.answer(page(islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 25: [['No results']] })]]] }])));
    expect(await search('android')).toMatchObject({ items: [], end: 'exhausted', depthReached: 0, provider: 'web', language: 'en' });
  });

  test('a page without a token is truncated where it ends, and deep enough when that was all one wanted', async () => {
    open = openStores(server.baseUrl);
    server.answer(page(searchPage(ids(30))));
    expect(await search('android')).toMatchObject({ end: 'truncated', depthReached: 30, depthRequested: 200 });
    const shallow = await search('android', 10);
    expect([shallow.end, shallow.depthReached, shallow.items.length, shallow.cost.requests]).toEqual(['depth', 10, 10, 1]);
  });

  test('a page about captchas is an answer like any other', async () => {
    open = openStores(server.baseUrl);
    const html = islandPage([{ rpc: 'lGYRle', data: searchData(['com.recaptcha.app']), request: ['recaptcha unusual traffic before you continue'] }]);
    server.answer(page(html));
    expect((await search('android')).items).toHaveLength(1);
  });

  test.each([
    ['the store turns the token down', (_page: number) => continuationFrame(null), 'truncated', 30, 2],
    ['the list ends', (at: number) => continuation(ids(25, 31 + at * 25), at < 2 ? `T${at}` : null), 'exhausted', 105, 4],
    ['the depth is reached', (at: number) => continuation(ids(25, 31 + at * 25), `T${at}`), 'depth', 200, 8],
    ['pages repeat themselves', (_page: number) => continuation(ids(25), 'SAME'), 'truncated', 30, 2],
    ['pages overlap', (at: number) => continuation(ids(25, 31 + at * 10), `T${at}`), 'depth', 200, 17],
    ['pages trickle', (at: number) => continuation(ids(1, 31 + at), `T${at}`), 'truncated', 54, 25],
  ])('when %s, the depth says what was seen', async (_why, next, end, depthReached, requests) => {
    open = openStores(server.baseUrl);
    let at = 0;
    server.answer((request, response) => void response.end(request.method === 'GET' ? searchPage(ids(30), 'FIRST') : next(at++)));
    const answer = await search('android');
    expect([answer.end, answer.depthReached, answer.cost.requests, server.asked.length]).toEqual([end, depthReached, requests, requests]);
    expect(answer.items.map((item) => item.storeAppId)).toEqual(ids(depthReached));
  });

  test('continuation pages carry the session of the first page and the language and country asked for', async () => {
    open = openStores(server.baseUrl);
    server.answer((request, response) => {
      response.setHeader('set-cookie', ['NID=abc; Path=/; HttpOnly', 'bad name=1', 'X=\u00e9']);
      response.end(request.method === 'GET' ? searchPage(ids(30), 'FIRST') : continuation(ids(25, 31)));
    });
    await open.stores.android.search({ ...query, country: 'br' }, anyOptions());
    expect(server.asked[1]!.headers.cookie).toContain('NID=abc');
    expect(server.asked[1]!.headers.cookie).not.toContain('bad');
    expect(server.asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('hl'))).toEqual(['pt-BR', 'pt-BR']);
    expect(server.asked[1]!.text).toContain('FIRST');
  });

  test('a consent page is answered with its cookie once, and is no refusal then', async () => {
    open = openStores(server.baseUrl);
    server.answer((request, response) => {
      if (/SOCS=/.test(request.headers.cookie ?? '')) response.end(searchPage(ids(3)));
      else response.writeHead(302, { location: 'https://consent.google.com/m' }).end();
    });
    const answer = await search('android');
    expect([answer.items.length, answer.cost.requests, open.refusals.length]).toEqual([3, 2, 0]);
  });

  test('an unavailable store is asked three times and may answer the third', async () => {
    open = openStores(server.baseUrl);
    let at = 0;
    server.answer((_request, response) => (++at < 3 ? response.writeHead(503).end() : response.end(oneApp)));
    const answer = await search('ios');
    expect([answer.items.length, answer.cost.requests, open.events.map((event) => event.outcome)]).toEqual([1, 3, ['503', '503', 'ok']]);
  });

  test.each([
    ['gzip', gzipSync(oneApp)],
    ['br', brotliCompressSync(oneApp)],
    ['identity', Buffer.from(oneApp)],
  ])('a %s body reads, and its bytes on the wire are counted', async (encoding, body) => {
    open = openStores(server.baseUrl);
    server.answer(send(200, body, { 'content-encoding': encoding, 'content-type': 'text/javascript' }));
    const answer = await search('ios');
    expect([answer.items.length, answer.cost.bytes, open.counts.bytes]).toEqual([1, body.length, body.length]);
    expect(server.asked[0]!.headers['accept-encoding']).toBe('gzip, br');
  });

  test('Retry-After is handed on, whether seconds or a date', async () => {
    open = openStores(server.baseUrl);
    server.answer(send(429, '', { 'retry-after': '120' }));
    await expect(search('ios')).rejects.toMatchObject({ retryAfterMs: 120_000 });
    server.answer(send(429, '', { 'retry-after': 'Wed, 15 Jul 2026 12:05:00 GMT' }));
    await expect(search('android')).rejects.toMatchObject({ retryAfterMs: 300_000 });
    expect(open.refusals.map((refusal) => refusal.retryAfterMs)).toEqual([120_000, 300_000]);
  });

  test('who no longer wants the answer hears the reason they gave', async () => {
    open = openStores(server.baseUrl);
    const controller = new AbortController();
    server.answer(() => controller.abort(new Error('shutting down')));
    await expect(open.stores.ios.search(query, { signal: controller.signal, lane: 'run' })).rejects.toThrow('shutting down');
    expect(server.asked).toHaveLength(1);
  });

  test('our own mistakes cost no request', async () => {
    open = openStores(server.baseUrl);
    const { ios, android } = open.stores;
    const wrong = [
      ios.search({ ...query, phrase: ' ' }, anyOptions()),
      ios.search({ ...query, country: 'USA' }, anyOptions()),
      android.search({ ...query, depth: 0 }, anyOptions()),
      ios.listings({ storeAppIds: ['1,2'], country: 'us' }, anyOptions()),
      android.listings({ storeAppIds: ['../x'], country: 'us' }, anyOptions()),
    ];
    for (const promise of wrong) await expect(promise).rejects.toMatchObject({ failure: 'bad_request' });
    expect(open.counts.granted).toBe(0);
  });
});

describe('listings', () => {
  test('iOS: 450 apps are three lookups; who is absent is missing; Mac apps and strangers are not found', async () => {
    open = openStores(server.baseUrl);
    server.answer((request, response) => {
      const asked = new URL(request.url!, 'http://x').searchParams.get('id')!.split(',').map(Number);
      const results = asked.filter((id) => id % 3 !== 0).map((id) => itunesResult(id, id === 100 ? { kind: 'mac-software' } : {}));
      response.end(itunesBody(results.reverse()));
    });
    const storeAppIds = Array.from({ length: 450 }, (_, index) => String(index + 1));
    const answer = await open.stores.ios.listings({ storeAppIds: [...storeAppIds, '1'], country: 'us' }, anyOptions());
    expect([answer.found.length, answer.missing.length, answer.cost.requests]).toEqual([299, 151, 3]);
    expect(answer.missing).toContain('100');
    expect(answer.found.map((listing) => listing.storeAppId)).toEqual(storeAppIds.filter((id) => Number(id) % 3 !== 0 && id !== '100'));
    expect(server.asked[0]!.url).toContain('/itunes.apple.com/lookup?id=1,2,3,');
  });

  test('Android: 404 is missing; any other page is not', async () => {
    open = openStores(server.baseUrl);
    server.answer((request, response) => {
      const id = new URL(request.url!, 'http://x').searchParams.get('id')!;
      response.writeHead(id === 'com.gone.app' ? 404 : 200).end(detailsPage(id));
    });
    const { android } = open.stores;
    const answer = await android.listings({ storeAppIds: ['com.a.b', 'com.gone.app'], country: 'de' }, anyOptions());
    expect([answer.found.map((listing) => listing.installs), answer.missing, answer.language]).toEqual([[1234n], ['com.gone.app'], 'de']);
    for (const body of ['', captcha, '<html>', detailsPage('com.other.app'), searchPage(ids(3)), detailsPage('com.a.b').replace('Name of', '\u0000')]) {
      server.answer(page(body.replace('"\u0000 com.a.b"', '7')));
      await expect(android.listings({ storeAppIds: ['com.a.b'], country: 'us' }, anyOptions())).rejects.toBeInstanceOf(StoreError);
    }
  });

  test.each(['', '<html>', '{"resultCount":1,"results":[]}', '{}'])('iOS: %j is never "not offered here"', async (body) => {
    open = openStores(server.baseUrl);
    server.answer(page(body));
    await expect(open.stores.ios.listings({ storeAppIds: ['1'], country: 'us' }, anyOptions())).rejects.toBeInstanceOf(StoreError);
  });
});
