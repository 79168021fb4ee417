import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { searchMzStore } from '#stores/ios/mzstore-search.ts';
import { parseMzStoreSearch } from '#stores/ios/parse-mzstore.ts';
import { startSimulator, type FaultName, type Simulator } from '#simulator/server.ts';
import { captcha, page as reply, send } from './failure-responses.ts';
import { openStoreContext } from './store-context.ts';
import { anyOptions, startStoreServer } from './store-server.ts';

const failing = (failure: string, marker: string) =>
  expect.objectContaining({ failure, marker }) as Error;
const weather = { phrase: 'weather', country: 'us' };

type Part = Record<string, unknown>;
const result = (id: unknown, changes: Part = {}): Part => ({
  type: 8,
  id: typeof id === 'number' ? String(id) : id,
  entity: 'software',
  ...changes,
});
const detail = (id: number, changes: Part = {}): Part => ({
  id: String(id),
  kind: 'iosSoftware',
  name: `App ${id}`,
  artistName: 'Northlight',
  bundleId: `com.northlight.app${id}`,
  artwork: { url: 'https://is1-ssl.mzstatic.com/image/{w}x{h}bb.{f}', width: 1024 },
  userRating: { value: 4.5, ratingCount: 12_345 },
  ...changes,
});
const bubbleOf = (results: unknown, changes: Part = {}): Part => ({
  name: 'software',
  results,
  ...changes,
});
const query: Part = {
  term: 'weather',
  metricsBase: { storeFront: '143441' },
  metrics: { fields: { searchTerm: 'weather' } },
};
const detailsOf = (...details: Part[]): Part => ({
  'native-search-lockup': {
    results: Object.fromEntries(details.map((entry) => [String(entry['id']), entry])),
  },
});
const bodyOf = (page: unknown, storePlatformData: unknown = detailsOf()) =>
  JSON.stringify({ storePlatformData, pageData: page });
const listOf = (results: unknown, changes: Part = {}, storePlatformData: unknown = detailsOf()) =>
  bodyOf({ ...query, bubbles: [bubbleOf(results, changes)] }, storePlatformData);
const results = (count: number) => Array.from({ length: count }, (_, index) => result(index + 1));
const read = (body: string) => {
  const { results, hasMore } = parseMzStoreSearch(body, weather);
  return { ids: results.map(({ storeAppId }) => Number(storeAppId)), hasMore };
};

describe('the order', () => {
  test('is that of apps, each once; other entities have no position', () => {
    const mixed = [
      result(3),
      result(9, { entity: 'mac-software' }),
      result(1),
      result(8, { entity: 'iphoneAppBundle' }),
      result(3),
      result(2),
    ];
    expect(read(listOf(mixed))).toEqual({ ids: [3, 1, 2], hasMore: false });
  });

  test('is kept by apps without details', () => {
    const body = listOf([result(1), result(2)], {}, detailsOf(detail(2), detail(7)));
    const { results } = parseMzStoreSearch(body, weather);
    expect(results).toMatchObject([
      { storeAppId: '1', card: null },
      { storeAppId: '2', card: { name: 'App 2' } },
    ]);
    const bare = JSON.stringify({ pageData: { bubbles: [bubbleOf([result(5)])] } });
    expect(parseMzStoreSearch(bare, weather).results).toEqual([{ storeAppId: '5', card: null }]);
  });

  test('is the same with the page at the top and with other lists beside it', () => {
    const bubbles = [bubbleOf([result(9)], { name: 'mac-software' }), bubbleOf([result(4)])];
    const section = { results: { 4: detail(4, { id: 4 }) } };
    for (const name of ['native-search-lockup-search', 'lockup']) {
      const body = JSON.stringify({ ...query, bubbles, storePlatformData: { [name]: section } });
      expect(parseMzStoreSearch(body, weather).results).toMatchObject([
        { storeAppId: '4', card: { name: 'App 4' } },
      ]);
    }
  });

  test('may go on after a list as long as the store makes them, or shorter than its count', () => {
    expect(read(listOf(results(239))).hasMore).toBe(false);
    expect(read(listOf(results(240))).hasMore).toBe(true);
    expect(read(listOf(results(12), { totalCount: 12 })).hasMore).toBe(false);
    expect(read(listOf(results(12), { totalCount: 13 })).hasMore).toBe(true);
  });

  test('is empty only where the page repeats the term', () => {
    const empty = { ids: [], hasMore: false };
    expect(read(bodyOf({ ...query, bubbles: [] }))).toEqual(empty);
    expect(read(listOf([], { totalCount: 0 }))).toEqual(empty);
    const unconfirmed = failing('unreadable', 'mz-empty');
    expect(() => read(bodyOf({ bubbles: [] }))).toThrow(unconfirmed);
    expect(() => read(bodyOf({ bubbles: [bubbleOf([])] }))).toThrow(unconfirmed);
    expect(() => read(listOf([], { totalCount: 120 }))).toThrow(unconfirmed);
  });
});

describe('an app', () => {
  const cardOf = (changes: Part) =>
    parseMzStoreSearch(listOf([result(1)], {}, detailsOf(detail(1, changes))), weather).results[0]!
      .card;

  test('has the facts of its details', () => {
    expect(cardOf({})).toEqual({
      storeAppId: '1',
      bundleId: 'com.northlight.app1',
      name: 'App 1',
      developer: 'Northlight',
      iconUrl: 'https://is1-ssl.mzstatic.com/image/512x512bb.jpg',
      rating: 4.5,
      ratingCount: 12_345,
      unread: [],
    });
  });

  test('has null for what its details lack', () => {
    const bare = { bundleId: undefined, artistName: null, artwork: null, userRating: undefined };
    const nothing = { bundleId: null, developer: null, iconUrl: null, rating: null };
    expect(cardOf(bare)).toMatchObject({ ...nothing, ratingCount: null, unread: [] });
  });

  test('has the largest icon of a list, or a template', () => {
    const size = (width: number) => ({ width, height: width, url: `https://a.test/${width}.png` });
    expect(cardOf({ artwork: [size(60), size(512), size(100)] })?.iconUrl).toBe(
      'https://a.test/512.png',
    );
    const templatizedArtwork = { url: 'https://a.test/{w}x{h}{c}.{f}' };
    expect(cardOf({ templatizedArtwork })?.iconUrl).toBe('https://a.test/512x512bb.jpg');
    expect(cardOf({ artwork: { url: 'javascript:alert(1)' } })?.iconUrl).toBeNull();
  });

  test.each([
    [{ userRating: { value: '4.5' } }, ['rating']],
    [{ userRating: { value: 4, ratingCount: -3 } }, ['ratingCount']],
    [{ userRating: 4.5 }, ['rating', 'ratingCount']],
    [{ artistName: ['Northlight'] }, ['developer']],
  ])('with %j keeps its position without the field', (changes, unread) => {
    expect(cardOf(changes)).toMatchObject({ name: 'App 1', unread });
  });

  test.each([
    [{ kind: 'macSoftware' }, 'mz-kind'],
    [{ kind: undefined }, 'mz-kind'],
    [{ name: ' ' }, 'mz-name'],
    [{ name: undefined }, 'mz-name'],
    [{ name: 5 }, 'type'],
  ])('with %j is unreadable', (changes, marker) => {
    expect(() => cardOf(changes)).toThrow(failing('unreadable', marker));
  });

  test.each([
    ['of another app', { 1: detail(2) }],
    ['without an id', { 1: detail(1, { id: undefined }) }],
    ['that are null', { 1: null }],
  ])('with details %s is unreadable', (_name, details) => {
    const body = listOf([result(1)], {}, { lockup: { results: details } });
    expect(() => read(body)).toThrow(failing('unreadable', 'mz-lockup'));
  });
});

describe('a response', () => {
  test.each([
    [{ term: 'whether' }, 'mz-term'],
    [{ term: null }, 'mz-term'],
    [{ metrics: { fields: { searchTerm: 'whether' } } }, 'mz-term'],
    [{ metricsBase: { storeFront: '143444' } }, 'mz-storefront'],
    [{ metricsBase: { storeFront: null } }, 'mz-storefront'],
  ])('for %j is refused: it has the results of another search', (changes, marker) => {
    const body = bodyOf({ ...query, bubbles: [bubbleOf([result(1)])], ...changes });
    expect(() => read(body)).toThrow(failing('unreadable', marker));
  });

  test('may have a term that differs in case and spaces, and a numeric storefront', () => {
    const page = { term: ' Weather ', metricsBase: { storeFront: 143_441 } };
    expect(read(bodyOf({ ...page, bubbles: [bubbleOf([result(1)])] })).ids).toEqual([1]);
  });

  const whole = listOf([result(1), result(2)], {}, detailsOf(detail(1)));
  const software = bubbleOf([result(1)]);
  const lists = (...bubbles: unknown[]) => bodyOf({ ...query, bubbles });
  test.each<[string, string, string]>([
    ['no page', bodyOf(null), 'mz-bubbles'],
    ['no lists', bodyOf(query), 'mz-bubbles'],
    ['lists of another form', bodyOf({ bubbles: software }), 'mz-bubbles'],
    ['a list without a name', lists({ results: [result(1)] }), 'mz-bubble'],
    ['an unknown list', lists(software, bubbleOf([], { name: 'stories' })), 'mz-bubble'],
    ['a list that is null', lists(null), 'mz-bubble'],
    ['two lists of apps', lists(software, software), 'mz-bubble'],
    ['no list of apps', lists(bubbleOf([], { name: 'mac-software' })), 'mz-bubble'],
    ['a list without results', listOf(undefined), 'mz-results'],
    ['results by id', listOf({ 1: result(1) }), 'mz-results'],
    ['an unknown entity', listOf([result(1), result(2, { entity: 'app' })]), 'mz-entity'],
    ['a result without an entity', listOf([result(1, { entity: undefined })]), 'mz-entity'],
    ['bare ids', listOf(['1', '2']), 'mz-entity'],
    ['a result without an id', listOf([result(undefined)]), 'mz-id'],
    ['an id that is none', listOf([result('id1')]), 'mz-id'],
    ['only Mac apps', listOf([result(1, { entity: 'mac-software' })]), 'mz-no-software'],
    ['details of another form', listOf([result(1)], {}, []), 'mz-details'],
    ['a section without details', listOf([result(1)], {}, { lockup: {} }), 'mz-details'],
    ['JSON that ends early', whole.slice(0, -20), 'json'],
    ['a plist', '<?xml version="1.0"?><plist version="1.0"><dict/></plist>', 'json'],
    ['a list at the top', '[]', 'envelope'],
    ['null', 'null', 'envelope'],
  ])('with %s is unreadable', (_name, body, marker) => {
    expect(() => read(body)).toThrow(failing('unreadable', marker));
  });

  test('is never read as a shorter one, wherever it ends', () => {
    for (let end = 1; end < whole.length; end++)
      expect(() => read(whole.slice(0, end))).toThrow(failing('unreadable', 'json'));
  });

  test.each([
    ['', 'empty'],
    [' \n', 'empty'],
    ['<!DOCTYPE html><html>iTunes</html>', 'html'],
    [captcha, 'captcha'],
    ['<html><h1>429 Too Many Requests</h1></html>', '429'],
  ])('that refuses (%j) is a refusal', (body, marker) => {
    expect(() => read(body)).toThrow(failing('refused', marker));
  });
});

describe('the request', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(() => server.close());
  const ask = async (country: string, depth = 200) => {
    const { context, close, ...reports } = openStoreContext('ios', server.baseUrl);
    try {
      const searching = searchMzStore(context, { phrase: 'weather', country, depth }, anyOptions());
      return { reports, response: await searching.catch((error: unknown) => error) };
    } finally {
      await close();
    }
  };

  test('names the term, the storefront and the app of the store', async () => {
    server.respond(reply(listOf(results(30))));
    const { response } = await ask('us', 20);
    expect(response).toMatchObject({ end: 'depth', cost: { requests: 1 } });
    expect((response as { items: unknown[] }).items).toHaveLength(20);
    expect(server.asked).toMatchObject([
      {
        method: 'GET',
        url:
          '/search.itunes.apple.com/WebObjects/MZStore.woa/wa/search?' +
          'clientApplication=Software&term=weather',
        headers: {
          'x-apple-store-front': '143441-1,29',
          'user-agent': expect.stringMatching(/^AppStore\//) as string,
        },
      },
    ]);
  });

  test('is not sent for a country without a known storefront', async () => {
    server.respond(reply(listOf([])));
    expect((await ask('aq')).response).toMatchObject({ failure: 'not_offered' });
    expect(server.asked).toEqual([]);
  });

  test('fails with the meaning of the status, and an unread body is kept', async () => {
    server.respond(send(403));
    expect((await ask('us')).response).toMatchObject({ failure: 'refused', marker: '403-empty' });
    server.respond(send(404, '<html>Not found</html>'));
    expect((await ask('us')).response).toMatchObject({ marker: 'status-404' });
    server.respond(reply(listOf([result(1, { entity: 'new' })])));
    expect((await ask('us')).reports.samples).toMatchObject([
      { kind: 'search', marker: 'mz-entity' },
    ]);
  });
});

describe('the simulated store', () => {
  let simulator: Simulator;
  let open: ReturnType<typeof openStoreContext>;
  beforeAll(async () => {
    simulator = await startSimulator({ seed: 7, now: new Date('2026-07-15T12:00:00Z') });
    open = openStoreContext('ios', simulator.baseUrl);
  });
  afterAll(async () => {
    await open.close();
    await simulator.close();
  });
  afterEach(() => {
    simulator.setFaults([]);
    simulator.setSearchModes([]);
  });
  const search = (phrase = 'weather', depth = 248, country = 'de') =>
    searchMzStore(open.context, { phrase, country, depth }, anyOptions());
  const market = (phrase: string) => ({ store: 'ios', phrase, country: 'de' }) as const;

  test.each(['weather', 'photo editor', 'habit tracker', 'notes', 'mood journal', 'vpn'])(
    'shows an order of its own for %s',
    async (phrase) => {
      const truth = simulator.order({ ...market(phrase), shownOn: 'mzstore' });
      const { items, end, cost } = await search(phrase);
      expect(items.map(({ storeAppId }) => storeAppId)).toEqual(truth.slice(0, 248));
      expect(items.filter(({ card }) => card !== null)).toHaveLength(Math.min(8, truth.length));
      const isFull = truth.length >= 240;
      expect(end).toBe(truth.length >= 248 ? 'depth' : isFull ? 'truncated' : 'exhausted');
      expect(cost.requests).toBe(1);
      for (const shownOn of [undefined, 'iphone'])
        expect(truth).not.toEqual(
          simulator.order({ ...market(phrase), ...(shownOn ? { shownOn } : {}) }),
        );
    },
  );

  test('has a request kind of its own, and its market in the log', async () => {
    simulator.clearLog();
    await search('Photo  Editor');
    expect(simulator.log()).toMatchObject([
      { kind: 'mz-search', country: 'de', phrase: 'photo editor', status: 200 },
    ]);
  });

  test('ends where the market ends, and may be without results', async () => {
    simulator.setSearchModes([{ store: 'ios', results: 14 }]);
    expect(await search()).toMatchObject({ items: { length: 14 }, end: 'exhausted' });
    simulator.setSearchModes([{ store: 'ios', mode: 'no-results' }]);
    expect(await search()).toMatchObject({ items: [], end: 'exhausted' });
  });

  test('lacks an app that is gone', async () => {
    const [first] = simulator.order({ ...market('weather'), shownOn: 'mzstore' });
    simulator.setFaults([{ fault: 'gone', storeAppId: first! }]);
    expect((await search()).items[0]!.storeAppId).not.toBe(first);
  });

  test.each<[FaultName, string, string | RegExp]>([
    ['rpc-renamed', 'unreadable', 'mz-entity'],
    ['index-moved', 'unreadable', 'mz-bubbles'],
    ['null-payload', 'unreadable', 'mz-bubbles'],
    ['wrong-intent', 'unreadable', 'mz-storefront'],
    ['captcha', 'refused', 'captcha'],
    ['empty', 'refused', 'empty'],
    ['403', 'refused', '403-empty'],
    ['429', 'refused', '429'],
    ['truncated-gzip', 'unavailable', /./],
  ])('with the fault %s: %s', async (fault, failure, marker) => {
    simulator.setFaults([{ fault, kind: 'mz-search' }]);
    for (const phrase of ['weather', 'notes', 'vpn'])
      await expect(search(phrase)).rejects.toMatchObject({
        failure,
        marker: expect.stringMatching(marker) as string,
      });
  });
});
