import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest';
import { listNamedApps } from '#stores/android/named-apps.ts';
import { parsePlayChart } from '#stores/android/parse-chart.ts';
import { parsePlayCluster } from '#stores/android/parse-cluster.ts';
import { parsePlayHints } from '#stores/android/parse-hints.ts';
import { parsePlayPage } from '#stores/android/parse-page.ts';
import { parsePlayReviews } from '#stores/android/parse-reviews.ts';
import { captcha, page as reply } from './failure-responses.ts';
import { continuationFrame, islandPage, playItem, sparse } from './pages.ts';
import { anyOptions, openStores, startStoreServer } from './store-server.ts';

const frame = (rpc: string, payload: unknown) => continuationFrame(JSON.stringify(payload), rpc);
const unreadable = (marker: string) =>
  expect.objectContaining({ failure: 'unreadable', marker }) as unknown;

describe('apps that the data name', () => {
  test('are found by pair and by link, wherever they are', () => {
    const link = '/store/apps/details?id=';
    const data = [
      ['com.a', 7],
      {
        23: [
          null,
          [
            [
              ['com.b', 7],
              [null, [null, null, `${link}com.c`]],
            ],
          ],
        ],
      },
      `${link}com.d`,
    ];
    expect(listNamedApps(data)).toEqual(['com.a', 'com.b', 'com.c', 'com.d']);
  });

  test.each([
    ['com.a', 7, null],
    ['com.a', 8],
    [7, 'com.a'],
    ['com a', 7],
    ['7.a', 7],
    ['/store/apps/details?id=com.a&hl=en'],
    ['https://play.google.com/store/apps/details?id=com.a'],
    ['/store/apps/details?id='],
    [null, true, 7],
  ])('are not %j', (...data) => {
    expect(listNamedApps([data, { 1: data }])).toEqual([]);
  });
});

describe('reviews', () => {
  const review = (more: Record<number, unknown> = {}) =>
    sparse({
      0: 'id-1',
      1: ['Ann', null],
      2: 4,
      4: 'Good',
      5: [1_783_346_124, 77_000_000],
      6: 0,
      ...more,
    });
  const read = (entries: unknown, token?: string) =>
    parsePlayReviews(frame('UsvDTd', [entries, token === undefined ? null : [null, token]]));

  test('have milliseconds from nanoseconds, whatever zeros are missing', () => {
    const at = (time: unknown) => read([review({ 5: time })])!.reviews[0]!.reviewedAt;
    expect(at([1_783_346_124, 77_000_000])).toBe('2026-07-06T13:55:24.077Z');
    expect(at([1_783_346_124, 7_000_000])).toBe('2026-07-06T13:55:24.007Z');
    expect(at([1_783_346_124])).toBe('2026-07-06T13:55:24.000Z');
    for (const time of [[77_000_000], [1_783_346_124, '0'], [null, 1], null])
      expect(() => at(time)).toThrow(unreadable('type'));
  });

  test('have null for what they lack, and each id once', () => {
    const bare = { 4: null, 6: null };
    expect(read([review(bare), review(bare)])!.reviews).toEqual([
      {
        storeReviewId: 'id-1',
        author: 'Ann',
        rating: 4,
        title: null,
        body: '',
        version: null,
        reviewedAt: '2026-07-06T13:55:24.077Z',
        reply: null,
      },
    ]);
  });

  test('are read by both names of the rpc, and no list is no reviews', () => {
    expect(parsePlayReviews(frame('oCPfdb', [[review()]]))!.reviews).toHaveLength(1);
    for (const payload of [[], [null, null], [[]]])
      expect(parsePlayReviews(frame('UsvDTd', payload))).toEqual({ reviews: [], token: null });
    expect(parsePlayReviews(continuationFrame(null, 'UsvDTd'))).toBeNull();
  });

  test.each<[string, () => unknown, string]>([
    ['an id that is a number', () => read([review({ 0: 7 })]), 'review-id'],
    ['no id', () => read([review({ 0: null })]), 'review-id'],
    ['0 stars', () => read([review({ 2: 0 })]), 'stars'],
    ['six stars', () => read([review({ 2: 6 })]), 'stars'],
    ['stars as text', () => read([review({ 2: '4' })]), 'stars'],
    ['a text that is a list', () => read([review({ 4: ['x'] })]), 'type'],
    ['a time as text', () => read([review({ 5: ['yesterday'] })]), 'type'],
    ['a response in another format', () => read([review({ 7: ['who', 5] })]), 'type'],
    ['everything shifted by one index', () => read([[null, ...review()]]), 'review-id'],
    ['entries that are null', () => read([null]), 'review-id'],
    ['a list that is text', () => read('x'), 'reviews'],
    [
      'a list shifted by one index',
      () => parsePlayReviews(frame('UsvDTd', [null, [review()]])),
      'reviews',
    ],
    ['a payload that is an object', () => parsePlayReviews(frame('UsvDTd', {})), 'reviews'],
    ['a token that would break out of its text', () => read([review()], '","x'), 'token'],
  ])('%s: nothing is accepted', (_name, parse, marker) => {
    expect(parse).toThrow(unreadable(marker));
  });
});

describe('errors inside a response', () => {
  const detail = ['type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError', [null, 13]];
  const body = (status: unknown, rpc = 'UsvDTd', payload: string | null = null) =>
    `)]}'\n\n${JSON.stringify([
      ['wrb.fr', rpc, payload, null, null, status, 'generic'],
      ['di', 23],
    ])}`;
  const parsers = { UsvDTd: parsePlayReviews, vyAe2: parsePlayChart, IJ4APc: parsePlayHints };

  test.each<[string, unknown]>([
    ['a gateway error', [13, null, [detail]]],
    ['a gateway error of a code that alone means nothing', [5, null, [detail]]],
    ['an error in text', `com.google.play.gateway.proto.PlayGatewayError`],
    ['an exhausted quota', [8]],
    ['an unavailable backend', [14]],
  ])('%s is a refusal, never "nothing"', (_name, status) => {
    const refusal = expect.objectContaining({ failure: 'refused', marker: 'rpc-error' }) as Error;
    for (const [rpc, parse] of Object.entries(parsers)) {
      expect(() => parse(body(status, rpc))).toThrow(refusal);
      expect(() => parse(body(status, rpc, '[[]]'))).toThrow(refusal);
    }
    expect(() => parsePlayReviews(body(status, 'another'))).toThrow(refusal);
  });

  test('a code alone that means "nothing" or "rejected" is none, as is a null payload', () => {
    for (const status of [null, [], [5], [3], [5, null, []]]) {
      expect(parsePlayReviews(body(status))).toBeNull();
      expect(parsePlayChart(body(status, 'vyAe2'))).toBeNull();
      expect(parsePlayHints(body(status, 'IJ4APc'))).toEqual([]);
    }
  });

  test('the name of the error in a review is only its text', () => {
    const review = sparse({
      0: 'id-1',
      1: ['Ann'],
      2: 1,
      4: 'PlayGatewayError again',
      5: [1_783_346_124, 0],
    });
    expect(parsePlayReviews(frame('UsvDTd', [[review]]))!.reviews[0]!.body).toBe(
      'PlayGatewayError again',
    );
  });
});

describe('charts and hints', () => {
  const chart = (items: unknown) => frame('vyAe2', [[null, [sparse({ 3: ['x'], 28: [items] })]]]);

  test('are read alike framed by length and in one array', () => {
    const whole = chart([playItem('com.a.b'), playItem('com.c.d'), playItem('com.a.b')]);
    const rest = '57\n[["di",299]]\n28\n[["e",4,null,null,99]]\n';
    const chunked = `)]}'\n\n${whole.length}\n${whole.slice(6)}\n${rest}`;
    for (const body of [whole, chunked])
      expect(parsePlayChart(body)!.map((app) => app.storeAppId)).toEqual(['com.a.b', 'com.c.d']);
    expect(parsePlayChart(continuationFrame(null, 'vyAe2'))).toBeNull();
  });

  test('that moved, or whose apps did, are unreadable', () => {
    expect(() =>
      parsePlayChart(frame('vyAe2', [[null, [sparse({ 27: [[playItem('com.a.b')]] })]]])),
    ).toThrow(unreadable('chart'));
    expect(() => parsePlayChart(frame('vyAe2', []))).toThrow(unreadable('sections'));
    expect(() => parsePlayChart(chart([playItem('com.a.b')[0]]))).toThrow(unreadable('app-id'));
  });

  test('of hints have each term once, ten at most', () => {
    const read = (entries: unknown) => parsePlayHints(frame('IJ4APc', [[entries]]));
    expect(read([['a'], ['b'], ['a']])).toEqual(['a', 'b']);
    expect(read(Array.from({ length: 40 }, (_, index) => [`term ${index}`]))).toHaveLength(10);
    expect(parsePlayHints(continuationFrame(null, 'IJ4APc'))).toEqual([]);
    expect(() => read([[['a']]])).toThrow(unreadable('hint'));
    expect(() => read('x')).toThrow(unreadable('hints'));
    expect(() => parsePlayHints(frame('IJ4APc', [null, [[['a']]]]))).toThrow(unreadable('hints'));
    expect(() => parsePlayHints(frame('IJ4APc', { a: 1 }))).toThrow(unreadable('hints'));
  });
});

describe('pages', () => {
  const query = { storeAppId: 'com.a.b' };
  const stars = [null, ['5', 5], ['4', 4], ['3', 3], ['2', 2], ['1', 1]];
  const cluster = (path: unknown, name = 'similar_apps_APPLICATION', ids = ['com.x.y']) =>
    sparse({
      3: ['qg', [[name, 2]]],
      21: [
        ids.map((id) => playItem(id)[0]),
        ['A title', null, [null, null, null, null, [null, null, path]]],
      ],
    });
  const path = '/store/apps/collection/cluster?gsr=SnFq%3D%3D:S:ANO1ljJOLuI';
  const html = (clusters: unknown, ratings: unknown = [['3.3', 3.3], stars, ['15', 15]]) =>
    islandPage([
      {
        rpc: 'Ws7gDc',
        data: [[[]], [null, null, sparse({ 0: ['Name'], 51: ratings, 77: [query.storeAppId] })]],
      },
      { rpc: 'ag2B9c', data: clusters },
    ]);
  const read = (clusters: unknown, ratings?: unknown) =>
    parsePlayPage(html([null, [null, clusters]], ratings), query);

  test('have similar apps in the cluster with the store’s name, at any index', () => {
    const other = cluster('/store/apps/collection/cluster?gsr=other', 'you_might_also_like', [
      'com.other.app',
    ]);
    const developer = cluster('/store/apps/dev?id=1', 'more_by_1', ['com.dev.app']);
    for (const clusters of [
      [developer, other, cluster(path)],
      [cluster(path), other],
      [other, cluster(path, 'similar_games_GAME')],
    ]) {
      expect(read(clusters)).toMatchObject({
        similarPath: path,
        similar: [{ storeAppId: 'com.x.y' }],
      });
    }
    expect(read([developer])).toMatchObject({ similarPath: null, similar: [] });
    expect(read([])).toMatchObject({ similarPath: null, similar: [] });
  });

  test('are followed only by plain paths of the store itself', () => {
    for (const hostile of [
      'https://evil.example/store/apps/collection/cluster?gsr=a',
      '//evil.example/cluster?gsr=a',
      `${path}#@evil`,
      `${path} `,
      `${path}"`,
    ]) {
      expect(() => read([cluster(hostile)])).toThrow(unreadable('cluster-path'));
      expect(read([cluster(hostile, 'other')]).similarPath).toBeNull();
    }
  });

  test('have stars one by one, null for an unrated app', () => {
    expect(read([], [['2.3', 2.3], stars, ['15', 15]])).toMatchObject({
      rating: 2.3,
      ratingCount: 15,
      histogram: [5, 4, 3, 2, 1],
    });
    expect(read([], null)).toMatchObject({ rating: null, ratingCount: null, histogram: null });
    const almost = [null, ['5', 5.0000000001], ['4', 4], ['3', 3], ['2', 2], ['1', 1]];
    expect(read([], [['2.3', 2.3], almost, ['15', 15]])).toMatchObject({ unread: [] });
  });

  test('have their ratings together or not at all, as each of them states the others', () => {
    const none = { rating: null, ratingCount: null, histogram: null };
    for (const ratings of [
      [['2.3', 2.3], stars.slice(1), ['15', 15]],
      [['2.3', 2.3], 'x', ['15', 15]],
      [['2.3', 2.3], stars, ['15', '15']],
      [['2.3', 2.3], stars, ['7', 7]],
      [['4.3', 4.3], stars, ['15', 15]],
      [stars, ['15', 15], ['7', 7]],
    ])
      expect(read([], ratings)).toMatchObject({
        ...none,
        unread: ['rating', 'ratingCount', 'histogram'],
      });
  });

  test('with moved clusters are unreadable', () => {
    expect(() => parsePlayPage(html([null, [[cluster(path)]]]), query)).toThrow(
      unreadable('clusters-moved'),
    );
    expect(() => read([cluster(null)])).toThrow(unreadable('clusters-moved'));
    expect(() => read('x')).toThrow(unreadable('clusters'));
    expect(() => parsePlayPage(html([]).replaceAll('ag2B9c', 'xx2B9c'), query)).toThrow(
      unreadable('rpc-missing'),
    );
    expect(() => parsePlayPage(html([]), { storeAppId: 'com.other.app' })).toThrow(
      unreadable('other-app'),
    );
  });

  test('of a cluster are unreadable if their list moved or has no apps', () => {
    const list = (position: number, ids: string[]) =>
      parsePlayCluster(
        islandPage([
          {
            rpc: 'CNT7ob',
            data: [[null, [sparse({ [position]: [ids.map((id) => playItem(id)[0]), ['']] })]]],
          },
        ]),
      );
    expect(list(21, ['com.a.b', 'com.a.b', 'com.c.d'])).toMatchObject({
      items: [{ storeAppId: 'com.a.b' }, { storeAppId: 'com.c.d' }],
      token: null,
    });
    expect(() => list(21, [])).toThrow(unreadable('list'));
    expect(() => list(22, ['com.a.b'])).toThrow(unreadable('list-moved'));
  });
});

describe('invalid queries and captchas', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>;
  let open: ReturnType<typeof openStores>;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(() => server.close());
  afterEach(() => open.close());
  const start = () => (open = openStores(server.baseUrl)).stores.android;

  test('invalid queries are refused without a request', async () => {
    const android = start();
    const app = { storeAppId: 'com.a.b', country: 'us' };
    const review = { ...app, cursor: null, knownRatingCount: null };
    const chart = { chart: 'free', category: null, country: 'us', limit: 200 } as const;
    const wrong: Promise<unknown>[] = [
      android.reviews({ ...review, storeAppId: '"],7' }, anyOptions()),
      android.reviews({ ...review, country: 'usa' }, anyOptions()),
      android.reviews({ ...review, cursor: '"]],null' }, anyOptions()),
      android.chart({ ...chart, limit: 201 }, anyOptions()),
      android.chart({ ...chart, limit: 0 }, anyOptions()),
      android.chart({ ...chart, category: 'GAME"' }, anyOptions()),
      android.hints({ prefix: ' ', country: 'us' }, anyOptions()),
      android.hints({ prefix: 'x'.repeat(201), country: 'us' }, anyOptions()),
      android.page({ ...app, storeAppId: 'nodots' }, anyOptions()),
      android.similar({ ...app, country: 'US' }, anyOptions()),
    ];
    for (const asking of wrong)
      await expect(asking).rejects.toMatchObject({ failure: 'bad_request', cost: { requests: 0 } });
    expect(open.counts.granted).toBe(0);
  });

  test('a captcha instead of frames is a refusal that the pacer learns of', async () => {
    const android = start();
    server.respond(reply(captcha));
    await expect(android.hints({ prefix: 'a', country: 'us' }, anyOptions())).rejects.toMatchObject(
      { failure: 'refused', marker: 'captcha' },
    );
    expect(open.refusals).toMatchObject([{ marker: 'captcha' }]);
  });

  test('an error frame and a frame of another rpc are unreadable, with a sample kept', async () => {
    const android = start();
    for (const body of [
      `)]}'\n\n[["er",null,null,null,null,400]]`,
      frame('qnKhOb', [[]]),
      frame('qnKhOb', [['captcha']]),
    ]) {
      server.respond(reply(body));
      await expect(
        android.hints({ prefix: 'a', country: 'us' }, anyOptions()),
      ).rejects.toMatchObject({
        failure: 'unreadable',
        marker: 'rpc-missing',
      });
    }
    expect(open.samples.map((sample) => sample.kind)).toEqual(['hints', 'hints', 'hints']);
  });
});
