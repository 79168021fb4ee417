import gplay from 'google-play-scraper';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { chartArgument } from '#stores/android/chart-request.ts';

// Responses that the common libraries parse are in the store's format.
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 7, now: new Date('2026-07-01T09:00:00Z') });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.clearLog());

interface Found {
  appId: string;
  developer: string;
  currency: string;
  free: boolean;
}
/** Its types are those of an older version. */
const library = gplay as unknown as Record<
  'list' | 'developer',
  (options: object) => Promise<Found[]>
> & {
  datasafety(
    options: object,
  ): Promise<
    Record<'collectedData' | 'securityPractices', unknown[]> & { privacyPolicyUrl: string }
  >;
};

/** Its requests go to the simulator; `path` is for those that bypass it. */
function play<Result>(
  call: (options: object) => Promise<Result>,
  path?: string,
  { baseUrl } = simulator,
): Promise<Result> {
  const rewrite = (options: { url: URL }) => {
    const asked =
      path !== undefined && options.url.pathname.startsWith('/store/')
        ? path
        : options.url.pathname + options.url.search;
    options.url = new URL(`${baseUrl}/play.google.com${asked}`);
  };
  return call({ requestOptions: { hooks: { beforeRequest: [rewrite] }, retry: { limit: 0 } } });
}

const us = { store: 'android', country: 'us' } as const;
const appId = 'app.babel.translate';
const kinds = () => simulator.log().map((entry) => entry.kind);

describe('google-play-scraper reads', () => {
  test('reviews, page after page, each once and in the true order', async () => {
    const truth = simulator.reviews({ ...us, storeAppId: appId });
    expect(truth.length).toBeGreaterThan(320);
    const { data } = await play((options) => gplay.reviews({ appId, num: 320, ...options }));
    expect(data.map(({ id, score, text, version }) => [id, score, text, version])).toEqual(
      truth
        .slice(0, 320)
        .map(({ storeReviewId, rating, body, version }) => [storeReviewId, rating, body, version]),
    );
    expect(data.map((review) => review.replyText)).toEqual(
      truth.slice(0, 320).map((review) => review.reply?.text ?? null),
    );
    expect(kinds()).toEqual(['reviews', 'reviews', 'reviews']);
  });

  test('the end of the reviews, and none where there are none', async () => {
    const truth = simulator.reviews({ ...us, storeAppId: appId });
    const { data, nextPaginationToken } = await play((options) =>
      gplay.reviews({ appId, num: 5_000, ...options }),
    );
    expect([data.length, nextPaginationToken ?? null]).toEqual([truth.length, null]);
    expect(
      (await play((options) => gplay.reviews({ appId: 'no.such.app', ...options }))).data,
    ).toEqual([]);
  });

  test.each([
    ['TOP_FREE', 'free'],
    ['TOP_PAID', 'paid'],
    ['GROSSING', 'grossing'],
  ] as const)('the %s chart of everything and of a category', async (collection, chart) => {
    const list = (category: string) =>
      play((options) =>
        library.list({ collection, category, num: 500, country: 'de', ...options }),
      );
    const truth = (category: string | null) =>
      simulator.chart({ store: 'android', country: 'de', chart, category });
    expect((await list('APPLICATION')).map((app) => app.appId)).toEqual(truth(null));
    const tools = await list('TOOLS');
    expect(tools.map((app) => app.appId)).toEqual(truth('TOOLS'));
    expect(tools[0]).toMatchObject({
      currency: 'EUR',
      free: chart !== 'paid' ? (expect.any(Boolean) as boolean) : false,
    });
  });

  test('hints, and none for a phrase that nobody types', async () => {
    const suggest = (term: string) => play((options) => gplay.suggest({ term, ...options }));
    expect(await suggest('hab')).toEqual(simulator.hints({ ...us, prefix: 'hab' }));
    expect(await suggest('hab')).toHaveLength(5);
    expect(await suggest('zzqqxx')).toEqual([]);
  });

  test('a developer by name and by number, and 404 for an unknown one', async () => {
    const developer = (devId: string) =>
      play((options) => library.developer({ devId, ...options }));
    for (const devId of ['1500000000', 'Lumen Works'])
      expect((await developer(devId)).map((app) => app.appId)).toEqual(['app.lumen.habits']);
    await expect(developer('4')).rejects.toMatchObject({ status: 404 });
  });

  test('a developer of many apps: 10, and the rest by a token', async () => {
    const large = await startSimulator({ seed: 7, now: simulator.now(), world: { apps: 60_000 } });
    const byDeveloper = Map.groupBy(
      large.world.catalogues.android.apps.filter(
        (app) => large.world.findApp('android', app.storeAppId, 'us', large.day()) !== null,
      ),
      (app) => app.developer,
    );
    const apps = [...byDeveloper.values()].toSorted((a, b) => b.length - a.length)[0]!;
    const found = await play(
      (options) => library.developer({ devId: apps[0]!.developer, num: 100, ...options }),
      undefined,
      large,
    );
    expect(found.map((app) => app.appId)).toEqual(apps.map((app) => app.storeAppId));
    expect(found.length).toBeGreaterThan(10);
    expect(large.log().map((entry) => entry.kind)).toEqual(['developer', 'continuation']);
    await large.close();
  });

  // Its similar() takes the first cluster, whatever it is, and bypasses the request options.
  test('the page of similar apps, 50 and the rest by tokens', async () => {
    const path = clusterPathOf(
      await (await fetch(`${simulator.baseUrl}/store/apps/details?id=${appId}&hl=en&gl=us`)).text(),
    );
    const found = await play(
      (options) => library.developer({ devId: '1', num: 200, ...options }),
      `${path}&hl=en&gl=us`,
    );
    expect(found).toHaveLength(80);
    expect(new Set(found.map((app) => app.appId)).size).toBe(80);
    expect(kinds().slice(1)).toEqual(['cluster', 'continuation', 'continuation']);
  });

  test('permissions and data safety', async () => {
    const permissions = await play((options) => gplay.permissions({ appId, ...options }));
    expect(permissions.map((permission) => permission.permission)).toContain(
      'have full network access',
    );
    const safety = await play((options) => library.datasafety({ appId, ...options }));
    expect(safety.privacyPolicyUrl).toBe(`https://${appId}.example/privacy`);
    expect(safety.collectedData).toHaveLength(1);
    expect(safety.securityPractices).toHaveLength(2);
    expect(
      await play((options) => library.datasafety({ appId: 'no.such.app', ...options })),
    ).toMatchObject({ collectedData: [] });
  });
});

test('our request for a chart is the library’s, word for word', async () => {
  let sent = '';
  const stop = (options: { body?: unknown }) => {
    sent = String(options.body);
    throw new Error('only the question was wanted');
  };
  const requestOptions = { hooks: { beforeRequest: [stop] }, retry: { limit: 0 } };
  const asking = library.list({
    collection: 'GROSSING',
    category: 'GAME_WORD',
    num: 200,
    requestOptions,
  });
  await expect(asking).rejects.toThrow(/only the question/);
  const [[[rpc, argument]]] = JSON.parse(new URLSearchParams(sent).get('f.req')!) as [
    [[string, string]],
  ];
  expect(rpc).toBe('vyAe2');
  expect(chartArgument({ chart: 'grossing', category: 'GAME_WORD', limit: 200 })).toEqual(
    JSON.parse(argument),
  );
});

test('rpcs in one post are identified by their tags, not by the address', async () => {
  const calls = [
    ['IJ4APc', JSON.stringify([[null, ['hab'], [10], [2], 4]]), null, 'a'],
    ['oCPfdb', JSON.stringify([null, [2, 2, [20]], [appId, 7]]), null, 'b'],
    ['teXCtc', JSON.stringify([null, ['hab'], [10], [2, 1], 4]), null, 'c'],
    ['UsvDTd', JSON.stringify([null, null, [2, 2, [150]], ['no.such.app', 7]]), null, 'd'],
  ];
  const body = new URLSearchParams({ 'f.req': JSON.stringify([calls]) });
  const response = await fetch(
    `${simulator.baseUrl}/_/PlayStoreUi/data/batchexecute?rpcids=qnKhOb&hl=en&gl=us`,
    { method: 'POST', body },
  );
  const frames = JSON.parse((await response.text()).slice(5)) as [
    string,
    string,
    string | null,
    ...unknown[],
  ][];
  const byTag = new Map(
    frames
      .filter(([kind]) => kind === 'wrb.fr')
      .map((frame) => [frame.at(-1), JSON.parse(frame[2] ?? 'null') as unknown[][]]),
  );
  const hints = simulator.hints({ ...us, prefix: 'hab' });
  expect((byTag.get('a')![0] as unknown[][][])[0]!.map(([term]) => term)).toEqual(hints);
  expect(byTag.get('b')![0]).toHaveLength(20);
  expect(byTag.get('c')![0]).toEqual(hints.map((term) => [term]));
  expect(byTag.get('d')).toBeNull();
});

function clusterPathOf(html: string): string {
  return /\/store\/apps\/collection\/cluster\?gsr=[\w%:]+/.exec(html)![0];
}
