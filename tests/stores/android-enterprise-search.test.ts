import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { searchEnterprise } from '#stores/android/enterprise-search.ts';
import { parseEnterpriseSearch } from '#stores/android/parse-enterprise-search.ts';
import { startSimulator, type FaultName, type Simulator } from '#simulator/server.ts';
import { captcha, page as reply, send } from './failure-responses.ts';
import { clusterItem, continuation, continuationFrame, ids, sparse } from './pages.ts';
import { openStoreContext } from './store-context.ts';
import { anyOptions, startStoreServer, type Reply } from './store-server.ts';

const failing = (failure: string, marker: string) =>
  expect.objectContaining({ failure, marker }) as Error;

const rangeName = 'search_results_cluster_apps_range_0_249';
const nameOf = (name: unknown) => ['qgI2', [[name, 2], null, null, 0]];
/** `[items, '', …, token]`, as on the further pages of any list. */
const listOf = (items: unknown, token: unknown = null) => [
  items,
  '',
  null,
  null,
  true,
  2,
  null,
  token === null ? null : [null, token],
  true,
];
const sectionOf = (items: unknown, token: unknown = null, name: unknown = rangeName) => [
  listOf(items, token),
  null,
  null,
  name === null ? null : nameOf(name),
];
const payloadOf = (...sections: unknown[]) => [[null, sections, null, [], true], ['CAES'], [], []];
const frame = (payload: unknown, rpc = 'lGYRle') => continuationFrame(JSON.stringify(payload), rpc);
const firstPage = (appIds: string[], token: string | null = null) =>
  frame(payloadOf(sectionOf(appIds.map(clusterItem), token)));
const read = (body: string) => {
  const { items, ...rest } = parseEnterpriseSearch(body);
  return { ids: items.map(({ storeAppId }) => storeAppId), ...rest };
};

describe('a first page', () => {
  test('has apps in the layout of clusters, each once, and the token of the next page', () => {
    const body = firstPage(['com.a.one', 'com.b.two', 'com.a.one'], 'YskBSj8_-w');
    expect(read(body)).toEqual({
      ids: ['com.a.one', 'com.b.two'],
      token: 'YskBSj8_-w',
      unread: [],
    });
    const [item] = parseEnterpriseSearch(body).items;
    expect(item!.name).toBe('Name of com.a.one');
  });

  test('has the facts of each app', () => {
    const icon = [null, 2, [512, 512], [null, null, 'https://play-lh.googleusercontent.com/x']];
    const item = sparse({
      1: [null, [icon, icon], 2, 2],
      2: 'Home',
      4: [[['Northlight', [null], true]], [null, [null, [null, 'Summary']]]],
      6: [[null, null, [null, ['4,3', 4.286]]]],
      12: ['com.a.one', 7],
    });
    expect(parseEnterpriseSearch(frame(payloadOf(sectionOf([item])))).items).toEqual([
      {
        storeAppId: 'com.a.one',
        bundleId: 'com.a.one',
        name: 'Home',
        developer: 'Northlight',
        iconUrl: 'https://play-lh.googleusercontent.com/x',
        rating: 4.286,
        ratingCount: null,
        unread: [],
      },
    ]);
  });

  test('comes in one piece or in chunks', () => {
    const frames = firstPage(['com.a.one']).slice(")]}'".length).trim();
    const chunks = `)]}'\n\n${frames.length + 2}\n${frames}\n25\n[["e",4,null,null,100]]\n`;
    expect(read(chunks).ids).toEqual(['com.a.one']);
  });

  test('keeps an app whose details are missing, or cannot be read', () => {
    const bare = clusterItem('com.a.one').toSpliced(4, 1, null);
    const drifted = clusterItem('com.b.two').toSpliced(6, 1, [[null, null, [null, ['4', '4']]]]);
    expect(parseEnterpriseSearch(frame(payloadOf(sectionOf([bare, drifted])))).items).toMatchObject(
      [
        { storeAppId: 'com.a.one', developer: null, rating: null, unread: ['developer'] },
        { storeAppId: 'com.b.two', rating: null, unread: ['rating'] },
      ],
    );
  });

  test('names each section that no parser knows', () => {
    const other = sectionOf([clusterItem('com.x.other')], null, 'recommended');
    const body = frame(payloadOf(sectionOf([clusterItem('com.a.one')]), other, null));
    expect(read(body)).toMatchObject({ ids: ['com.a.one'], unread: ['section', 'section'] });
  });

  test('is empty only where the list of results is named and empty', () => {
    expect(read(frame(payloadOf(sectionOf([]))))).toEqual({ ids: [], token: null, unread: [] });
    for (const name of [null, 5, 'recommended'])
      expect(() => read(frame(payloadOf(sectionOf([], null, name))))).toThrow(
        failing('unreadable', 'list-name'),
      );
    const moved = payloadOf(sectionOf([]), sectionOf([clusterItem('com.a.one')]));
    expect(() => read(frame(moved))).toThrow(failing('unreadable', 'list-moved'));
  });

  const one = [clusterItem('com.a.one')];
  test.each<[string, string, string]>([
    ['null instead of a payload', continuationFrame(null, 'lGYRle'), 'payload-missing'],
    ['another rpc', firstPage(['com.a.one']).replace('lGYRle', 'xGYRle'), 'rpc-missing'],
    ['no sections', frame([[null, null]]), 'sections'],
    ['an empty payload', frame([]), 'sections'],
    ['sections as text', frame([[null, 'x']]), 'sections'],
    ['no section', frame(payloadOf()), 'list'],
    ['a section that is null', frame(payloadOf(null)), 'list'],
    ['a list moved by one index', frame(payloadOf([[null, ...listOf(one)]])), 'list'],
    ['a section moved by one index', frame(payloadOf([null, ...sectionOf(one)])), 'list'],
    ['a list of another name', frame(payloadOf(sectionOf(one, null, 'trending'))), 'list-name'],
    ['an app without an id', frame(payloadOf(sectionOf([[null, null, 'Name']]))), 'app-id'],
    ['an app that is null', frame(payloadOf(sectionOf([...one, null]))), 'app-id'],
    ['an app without a name', frame(payloadOf(sectionOf([one[0]!.with(2, null)]))), 'name'],
    ['a token that would break out', frame(payloadOf(sectionOf(one, '","x'))), 'token'],
    ['a payload that is no text', `)]}'\n\n[["wrb.fr","lGYRle",[1]]]`, 'payload'],
    ['a body that ends early', firstPage(['com.a.one']).slice(0, -9), 'json'],
    ['a page of another kind', '<html><body>Google Play</body></html>', 'rpc-missing'],
  ])('with %s is unreadable', (_name, body, marker) => {
    expect(() => read(body)).toThrow(failing('unreadable', marker));
  });

  test.each<[string, string]>([
    ['', 'empty'],
    [captcha, 'captcha'],
    [
      `)]}'\n\n[["wrb.fr","lGYRle",null,null,null,[13,null,[["PlayGatewayError",[null,13]]]],""]]`,
      'rpc-error',
    ],
  ])('that refuses (%j) is a refusal', (body, marker) => {
    expect(() => read(body)).toThrow(failing('refused', marker));
  });
});

describe('the search', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>;
  let open: ReturnType<typeof openStoreContext>;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(() => server.close());
  afterEach(() => open.close());
  const search = (depth = 200) => {
    open = openStoreContext('android', server.baseUrl);
    return searchEnterprise(
      open.context,
      { phrase: 'home "x"', country: 'de', depth },
      anyOptions(),
    );
  };
  /** One response for each request; the last one is repeated. */
  const respond = (...replies: Reply[]) => {
    let sent = 0;
    server.respond((request, response) => {
      replies[Math.min(sent++, replies.length - 1)]!(request, response);
    });
  };

  test('calls lGYRle, then qnKhOb with the token and the cookie of the first page', async () => {
    const cookie = { 'set-cookie': 'NID=1; Path=/' };
    respond(send(200, firstPage(ids(50), 'T1'), cookie), reply(continuation(ids(30, 51))));
    expect(await search()).toMatchObject({
      items: { length: 80 },
      depthRequested: 200,
      depthReached: 80,
      end: 'exhausted',
      provider: 'enterprise',
      language: 'de',
      unread: [],
      cost: { requests: 2 },
    });
    const [first, next] = server.asked;
    const path = '/play.google.com/_/PlayEnterpriseWebStoreUi/data/batchexecute?';
    expect([first!.url, next!.url].map((url) => url.startsWith(path))).toEqual([true, true]);
    expect(first!.url).toMatch(/rpcids=lGYRle&.*hl=de&gl=de/);
    const callOf = (text: string) => {
      const [[[rpc, argument]]] = JSON.parse(new URLSearchParams(text).get('f.req')!) as [
        [string[]],
      ];
      return { rpc, argument: JSON.parse(argument!) as unknown[][] };
    };
    const call = callOf(first!.text);
    expect([call.rpc, call.argument[0]!.slice(2, 4)]).toEqual(['lGYRle', [['home "x"'], 4]]);
    expect(callOf(next!.text)).toMatchObject({ rpc: 'qnKhOb' });
    expect(callOf(next!.text).argument[0]!.at(-1)).toBe('T1');
    expect(next!.headers.cookie).toContain('NID=1');
  });

  test('stops at the depth, and asks for no further page', async () => {
    respond(reply(firstPage(ids(50), 'T1')), reply(continuation(ids(50, 51), 'T2')));
    expect(await search(70)).toMatchObject({
      items: { length: 70 },
      depthReached: 70,
      end: 'depth',
      cost: { requests: 2 },
    });
    expect(server.asked).toHaveLength(2);
  });

  test.each<[string, Reply[], number, string]>([
    ['a first page without a token', [reply(firstPage(ids(30)))], 30, 'truncated'],
    [
      'a rejected token',
      [reply(firstPage(ids(50), 'T1')), reply(continuationFrame(null))],
      50,
      'truncated',
    ],
    [
      'a page that repeats known apps and has a token',
      [reply(firstPage(ids(50), 'T1')), reply(continuation(ids(50), 'T2'))],
      50,
      'truncated',
    ],
    [
      'a list as long as its range',
      [reply(firstPage(ids(125), 'T1')), reply(continuation(ids(125, 126)))],
      250,
      'truncated',
    ],
    ['an empty list', [reply(firstPage([]))], 0, 'exhausted'],
  ])('%s: the depth is what was seen', async (_name, replies, depthReached, end) => {
    respond(...replies);
    expect(await search(300)).toMatchObject({ items: { length: depthReached }, depthReached, end });
    expect(server.asked).toHaveLength(replies.length);
  });

  test('is not endless when every page has one new app and a token', async () => {
    let sent = 0;
    server.respond((request, response) => {
      const made = sent === 0 ? firstPage(ids(1), 'T') : continuation(ids(1, sent + 1), 'T');
      sent++;
      reply(made)(request, response);
    });
    expect(await search()).toMatchObject({ items: { length: 13 }, end: 'truncated' });
    expect(server.asked).toHaveLength(13);
  });

  test.each<[string, Reply, string, string]>([
    ['a captcha', reply(captcha), 'refused', 'captcha'],
    ['an empty body', reply(''), 'refused', 'empty'],
    ['429', send(429), 'refused', '429'],
    ['another rpc', reply(firstPage(ids(3))), 'unreadable', 'rpc-missing'],
    ['404', send(404), 'unreadable', 'status-404'],
  ])('fails as a whole when a further page is %s', async (_name, further, failure, marker) => {
    respond(reply(firstPage(ids(50), 'T1')), further);
    await expect(search()).rejects.toMatchObject({ failure, marker, cost: { requests: 2 } });
    expect(open.refusals).toHaveLength(failure === 'refused' ? 1 : 0);
    expect(open.samples).toHaveLength(failure === 'refused' ? 0 : 1);
  });
});

describe('the simulated store', () => {
  let simulator: Simulator;
  let open: ReturnType<typeof openStoreContext>;
  beforeAll(async () => {
    simulator = await startSimulator({
      seed: 7,
      now: new Date('2026-07-15T12:00:00Z'),
      world: { androidMode: 'web30', requireSessionCookie: true },
    });
    open = openStoreContext('android', simulator.baseUrl);
  });
  afterAll(async () => {
    await open.close();
    await simulator.close();
  });
  afterEach(() => {
    simulator.setFaults([]);
    simulator.setSearchModes([]);
  });
  const search = (phrase = 'weather', depth = 200) =>
    searchEnterprise(open.context, { phrase, country: 'de', depth }, anyOptions());
  const truth = (phrase: string) => simulator.order({ store: 'android', phrase, country: 'de' });
  const idsOf = ({ items }: { items: { storeAppId: string }[] }) =>
    items.map(({ storeAppId }) => storeAppId);

  test.each(['weather', 'photo editor', 'habit tracker', 'notes'])(
    'shows more than the page, in its order, for %s',
    async (phrase) => {
      const response = await search(phrase);
      const expected = truth(phrase).slice(0, 200);
      expect(expected.length).toBeGreaterThan(30);
      expect(idsOf(response)).toEqual(expected);
      expect(response).toMatchObject({
        depthReached: expected.length,
        end: expected.length === 200 ? 'depth' : 'exhausted',
        cost: { requests: Math.ceil(expected.length / 50) },
      });
    },
  );

  test('has request kinds of its own, and the market in the log', async () => {
    simulator.clearLog();
    await search('Photo  Editor', 60);
    const market = { country: 'de', phrase: 'photo editor' };
    expect(simulator.log()).toMatchObject([
      { kind: 'enterprise-search', ...market },
      { kind: 'enterprise-continuation', ...market },
    ]);
  });

  test('may reject the token, end early, or be without results', async () => {
    simulator.setSearchModes([{ mode: 'reject-token' }]);
    expect(await search()).toMatchObject({ depthReached: 50, end: 'truncated' });
    simulator.setSearchModes([{ results: 62 }]);
    expect(await search()).toMatchObject({ depthReached: 62, end: 'exhausted' });
    simulator.setSearchModes([{ mode: 'no-results' }]);
    expect(await search()).toMatchObject({ items: [], depthReached: 0, end: 'exhausted' });
  });

  test('lacks an app that is gone', async () => {
    const [first, second] = truth('weather');
    simulator.setFaults([{ fault: 'gone', storeAppId: first! }]);
    expect(idsOf(await search())[0]).toBe(second);
  });

  test.each<[FaultName, string, string]>([
    ['rpc-renamed', 'unreadable', 'rpc-missing'],
    ['rpc-error', 'refused', 'rpc-error'],
    ['captcha', 'refused', 'captcha'],
    ['empty', 'refused', 'empty'],
    ['sorry', 'refused', 'sorry'],
    ['429', 'refused', '429'],
  ])('with the fault %s on any page: %s', async (fault, failure, marker) => {
    for (const kind of ['enterprise-search', 'enterprise-continuation']) {
      simulator.setFaults([{ fault, kind }]);
      await expect(search()).rejects.toMatchObject({ failure, marker });
    }
  });

  test('with a moved index is unreadable, on any page', async () => {
    simulator.setFaults([{ fault: 'index-moved', kind: 'enterprise-search' }]);
    await expect(search()).rejects.toMatchObject({ failure: 'unreadable', marker: 'list' });
    simulator.setFaults([{ fault: 'index-moved', kind: 'enterprise-continuation' }]);
    await expect(search()).rejects.toMatchObject({ failure: 'unreadable', marker: 'continuation' });
  });

  test('without a payload is unreadable at first, and a rejected token later', async () => {
    simulator.setFaults([{ fault: 'null-payload', kind: 'enterprise-search' }]);
    await expect(search()).rejects.toMatchObject({ marker: 'payload-missing' });
    simulator.setFaults([{ fault: 'null-payload', kind: 'enterprise-continuation' }]);
    expect(await search()).toMatchObject({ depthReached: 50, end: 'truncated' });
  });

  test('passes the consent page once, and keeps the cookie', async () => {
    const { context, close } = openStoreContext('android', simulator.baseUrl);
    simulator.setFaults([{ fault: 'consent' }]);
    const query = { phrase: 'weather', country: 'de', depth: 100 };
    const response = await searchEnterprise(context, query, anyOptions());
    expect([idsOf(response), response.cost.requests]).toEqual([truth('weather').slice(0, 100), 3]);
    await close();
  });
});
