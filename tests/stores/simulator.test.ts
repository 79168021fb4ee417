import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type FaultName, type Simulator } from '#simulator/server.ts';
import { StoreError, type StoreName } from '#domain/base/ports.ts';
import { anyOptions, openStores } from './store-server.ts';

/** Both clients against both stores over HTTP: they find the simulator's ground truth. */
let simulator: Simulator;
let open: ReturnType<typeof openStores>;
/** For a store that never ends its response: a busy machine may be late with the others. */
let impatient: ReturnType<typeof openStores>;

beforeAll(async () => {
  simulator = await startSimulator({
    seed: 7,
    now: new Date('2026-07-15T12:00:00Z'),
    world: { apps: 1_500, kindMix: 0.1, hugeInstalls: true, requireSessionCookie: true },
  });
  open = openStores(simulator.baseUrl, { timeoutMs: 30_000 });
  impatient = openStores(simulator.baseUrl, { timeoutMs: 700 });
});
afterAll(async () => {
  await open.close();
  await impatient.close();
  await simulator.close();
});
afterEach(() => {
  simulator.setFaults([]);
  simulator.setSearchModes([]);
});

const phrases = ['photo editor', 'weather', 'habit tracker'];
const asked = {
  ios: { provider: 'itunes', device: 'iphone' },
  android: { provider: 'web', device: 'phone' },
};
const search = (
  store: StoreName,
  phrase: string,
  more: { depth?: number; country?: string } = {},
  { stores } = open,
) =>
  stores[store].search(
    { ...asked[store], phrase, country: 'us', depth: 200, ...more },
    anyOptions(),
  );
const truth = (store: StoreName, phrase: string, country = 'us') =>
  simulator.order({ store, phrase, country, ...(store === 'ios' && { shownOn: 'api' }) });
const idsOf = (response: { items: { storeAppId: string }[] }) =>
  response.items.map((item) => item.storeAppId);

describe('order', () => {
  test.each(
    phrases.flatMap((phrase) =>
      (['us', 'de', 'jp'] as const).map((country) => [phrase, country] as const),
    ),
  )('%s in %s: both stores are read in their true order', async (phrase, country) => {
    for (const store of ['ios', 'android'] as const) {
      const response = await search(store, phrase, { country });
      const expected = truth(store, phrase, country);
      const found = idsOf(response);
      expect(found.length).toBeGreaterThan(0);
      // Mac apps take some of the 200 positions that iTunes returns, so the list may be shorter but
      // never in another order.
      expect(found).toEqual(expected.slice(0, found.length));
      if (response.end === 'exhausted') expect(found).toHaveLength(expected.length);
    }
  });

  test.each(
    ['web', 'itunes'].flatMap((provider) =>
      ['iphone', 'ipad', 'mac'].map((device) => [provider, device] as const),
    ),
  )(
    'by %s on %s has the true order, and names by what the device runs',
    async (provider, device) => {
      const { ios } = open.stores;
      const market = { phrase: 'weather', country: 'de' };
      simulator.clearLog();
      const response = await ios.search({ provider, ...market, device, depth: 200 }, anyOptions());
      const orders = { web: device, itunes: device === 'iphone' ? 'api' : `api-${device}` };
      const shownOn = orders[provider as 'web' | 'itunes'];
      const expected = simulator.order({ store: 'ios', ...market, shownOn });
      expect(idsOf(response)).toEqual(expected.slice(0, response.depthReached));
      expect(response.depthReached).toBeGreaterThan(100);
      const storeAppIds = idsOf(response).slice(0, 20);
      const { found } = await ios.listings({ storeAppIds, country: 'de', device }, anyOptions());
      expect(found).toHaveLength(20);
      const [searched, lookedUp] = simulator.log().map(({ path }) => path);
      const entities = { iphone: 'software', ipad: 'iPadSoftware', mac: 'macSoftware' };
      const entity = entities[device as keyof typeof entities];
      expect(searched).toContain(provider === 'web' ? `/de/${device}/search` : `entity=${entity}&`);
      expect(lookedUp!.includes('entity=macSoftware')).toBe(device === 'mac');
    },
  );

  test('a device that a provider has no results of is refused before any request', async () => {
    simulator.clearLog();
    const market = { phrase: 'weather', country: 'us', depth: 200 };
    for (const [store, provider, device] of [
      ['ios', 'mzstore', 'ipad'],
      ['ios', 'web', 'phone'],
      ['android', 'web', 'iphone'],
    ] as const)
      await expect(
        open.stores[store].search({ ...market, provider, device }, anyOptions()),
      ).rejects.toMatchObject({ failure: 'bad_request', marker: 'device' });
    expect(simulator.log()).toEqual([]);
  });

  test('a deep Android search takes 8 requests, and each is in the cost', async () => {
    const phrase = phrases.find((candidate) => truth('android', candidate).length >= 200);
    expect(phrase).toBeDefined();
    simulator.clearLog();
    const response = await search('android', phrase!);
    expect(idsOf(response)).toEqual(truth('android', phrase!).slice(0, 200));
    expect([
      response.end,
      response.depthReached,
      response.cost.requests,
      simulator.log().length,
    ]).toEqual(['depth', 200, 8, 8]);
  });

  test('a market that ends before the depth is exhausted, and all of it is seen', async () => {
    simulator.setSearchModes([{ phrase: phrases[0]!, results: 62 }]);
    for (const store of ['ios', 'android'] as const) {
      const response = await search(store, phrases[0]!);
      expect([response.end, response.depthReached, response.items.length]).toEqual([
        'exhausted',
        62,
        62,
      ]);
    }
  });

  test('today’s Play has one page: truncated at 30', async () => {
    simulator.setSearchModes([{ mode: 'web30' }]);
    const response = await search('android', phrases[0]!);
    expect([
      response.end,
      response.depthReached,
      response.depthRequested,
      response.cost.requests,
    ]).toEqual(['truncated', 30, 200, 1]);
    expect(idsOf(response)).toEqual(truth('android', phrases[0]!).slice(0, 30));
  });

  test('results in several sections have one order, and unknown sections are counted', async () => {
    simulator.setFaults([{ fault: 'sections-split' }]);
    const response = await search('android', phrases[0]!);
    expect(idsOf(response)).toEqual(truth('android', phrases[0]!).slice(0, 200));
    expect([response.end, response.unread]).toEqual(['depth', ['section']]);
    simulator.setFaults([]);
    expect((await search('android', phrases[0]!)).unread).toEqual([]);
  });

  test('a rejected token: truncated at 30, after 2 requests', async () => {
    simulator.setSearchModes([{ mode: 'reject-token' }]);
    const response = await search('android', phrases[0]!);
    expect([response.end, response.depthReached, response.cost.requests]).toEqual([
      'truncated',
      30,
      2,
    ]);
  });

  test('a market without results is empty, in both stores', async () => {
    simulator.setSearchModes([{ mode: 'no-results' }]);
    for (const store of ['ios', 'android'] as const) {
      expect(await search(store, phrases[0]!)).toMatchObject({
        items: [],
        end: 'exhausted',
        depthReached: 0,
      });
    }
  });
});

describe('listings', () => {
  test('iOS: 250 apps take two lookups, one app is not offered here', async () => {
    const storeAppIds = [...new Set(phrases.flatMap((phrase) => truth('ios', phrase)))].slice(
      0,
      250,
    );
    simulator.setFaults([{ fault: 'gone', storeAppId: storeAppIds[3]!, country: 'us' }]);
    const response = await open.stores.ios.listings({ storeAppIds, country: 'us' }, anyOptions());
    expect(response.missing).toEqual([storeAppIds[3]]);
    expect(response.found.map((listing) => listing.storeAppId)).toEqual(
      storeAppIds.filter((id) => id !== storeAppIds[3]),
    );
    expect(response.cost.requests).toBe(Math.ceil(storeAppIds.length / 200));
  });

  test('Android: every fact of a details page; a removed app is missing', async () => {
    const [first, second] = truth('android', phrases[0]!);
    simulator.setFaults([{ fault: 'gone', storeAppId: second! }]);
    const response = await open.stores.android.listings(
      { storeAppIds: [first!, second!], country: 'us' },
      anyOptions(),
    );
    expect([response.found.length, response.missing]).toEqual([1, [second]]);
    expect(response.found[0]).toMatchObject({
      storeAppId: first,
      currency: 'USD',
      installs: expect.any(BigInt) as bigint,
    });
    expect(response.found[0]!.updatedAt).toMatch(/^20\d\d-/);
    expect(response.found[0]!.releasedAt).toMatch(/^20\d\d-/);
  });

  test('2^63-1 installs are read digit for digit', async () => {
    const response = await open.stores.android.listings(
      { storeAppIds: ['app.limit.counter'], country: 'us' },
      anyOptions(),
    );
    expect(response.found[0]?.installs).toBe(9_223_372_036_854_775_807n);
  });
});

describe('faults', () => {
  const both = ['ios', 'android'] as const;
  const cases: [FaultName, Partial<Record<StoreName, string>>][] = [
    ['403', { ios: 'refused', android: 'refused' }],
    ['429', { ios: 'refused', android: 'refused' }],
    ['502', { ios: 'unavailable', android: 'unavailable' }],
    ['503', { ios: 'unavailable', android: 'refused' }],
    ['sorry', { ios: 'refused', android: 'refused' }],
    ['captcha', { ios: 'refused', android: 'refused' }],
    ['hang', { ios: 'unavailable', android: 'unavailable' }],
    ['drip', { ios: 'unavailable', android: 'unavailable' }],
    ['reset', { ios: 'unavailable', android: 'unavailable' }],
    ['truncated-gzip', { ios: 'unavailable', android: 'unavailable' }],
    ['empty', { ios: 'refused', android: 'refused' }],
    ['huge', { ios: 'unavailable', android: 'unavailable' }],
    ['gzip-bomb', { ios: 'unavailable', android: 'unavailable' }],
    ['rpc-renamed', { android: 'unreadable' }],
    ['index-moved', { android: 'unreadable', ios: 'unreadable' }],
  ];
  test.each(cases)(
    '%s is a failure of searches and of listings, never an empty response',
    async (fault, failures) => {
      simulator.setFaults([{ fault }]);
      const opened = fault === 'hang' || fault === 'drip' ? impatient : open;
      for (const store of both) {
        if (failures[store] === undefined) continue;
        const storeAppId = truth(store, phrases[0]!)[0]!;
        const listing = { storeAppIds: [storeAppId], country: 'us' };
        const asked = [
          search(store, phrases[0]!, {}, opened),
          opened.stores[store].listings(listing, anyOptions()),
        ];
        for (const result of await Promise.allSettled(asked)) {
          expect(result.status).toBe('rejected');
          const { reason } = result as PromiseRejectedResult;
          expect(reason).toBeInstanceOf(StoreError);
          expect((reason as StoreError).failure).toBe(failures[store]);
        }
      }
    },
  );

  test.each(['429', 'captcha', 'reset', 'rpc-renamed', 'index-moved', 'empty'] as const)(
    '%s on the fourth page discards the search',
    async (fault) => {
      simulator.setFaults([{ fault, path: 'batchexecute', after: 2 }]);
      await expect(search('android', phrases[0]!)).rejects.toBeInstanceOf(StoreError);
    },
  );

  test('moved data keys change nothing', async () => {
    simulator.setFaults([{ fault: 'ds-shifted' }]);
    expect(idsOf(await search('android', phrases[0]!, { depth: 30 }))).toEqual(
      truth('android', phrases[0]!).slice(0, 30),
    );
  });

  test('null payloads while paging: truncated where it stopped', async () => {
    simulator.setFaults([{ fault: 'null-payload', path: 'batchexecute', after: 2 }]);
    const response = await search('android', phrases[0]!);
    expect([response.end, response.depthReached, response.cost.requests]).toEqual([
      'truncated',
      80,
      4,
    ]);
  });

  test('a consent page costs one more request', async () => {
    simulator.setFaults([{ fault: 'consent', store: 'android' }]);
    const response = await search('android', phrases[0]!, { depth: 30 });
    expect([response.items.length, response.cost.requests]).toEqual([30, 2]);
  });

  test('a store that fails once gets one more request', async () => {
    for (const fault of ['503', 'reset', 'truncated-gzip'] as const) {
      simulator.setFaults([{ fault, times: 1 }]);
      const response = await search('ios', phrases[0]!);
      expect([response.items.length > 0, response.cost.requests]).toEqual([true, 2]);
    }
  });
});
