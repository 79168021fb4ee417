import googlePlay from 'google-play-scraper';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePlayChart } from '#stores/android/parse-chart.ts';
import { parsePlayCluster } from '#stores/android/parse-cluster.ts';
import { parsePlayHints } from '#stores/android/parse-hints.ts';
import { parsePlayPage } from '#stores/android/parse-page.ts';
import { parsePlayReviews } from '#stores/android/parse-reviews.ts';
import { hasRecordings, readRecording } from './fixtures.ts';
import { startStoreServer } from './store-server.ts';

const translate = { storeAppId: 'com.google.android.apps.translate' };
const reviewsBody = () => readRecording('android/reviews/translate-initial.txt');
const chartBody = () => readRecording('android/charts/topfree-game.txt');
const clusterBody = () => readRecording('android/similar/translate-cluster.html');

describe.skipIf(!hasRecordings)('recorded responses of Play', () => {
  test('reviews: 150, newest first, with version, reply and milliseconds', () => {
    const { reviews, token } = parsePlayReviews(reviewsBody())!;
    expect(reviews).toHaveLength(150);
    expect(token).toHaveLength(292);
    expect(reviews[0]).toEqual({
      storeReviewId: '34a7852f-307e-7a40-e739-ef232856bada',
      author: 'reviewer 1',
      rating: 5,
      title: null,
      body: 'niec',
      version: null,
      reviewedAt: '2026-07-06T13:55:24.077Z',
      reply: null,
    });
    const withReply = reviews.find((review) => review.reply !== null)!;
    expect(withReply.version).toBe('10.24.48.939568180.6-release');
    expect(withReply.reply).toMatchObject({
      text: expect.stringMatching(/^Hi Baran\./) as string,
      at: '2026-07-07T01:20:13.174Z',
    });
    const instants = reviews.map((review) => review.reviewedAt!);
    expect(instants).toEqual(instants.toSorted().toReversed());
    expect(reviews.filter((review) => review.version === null)).toHaveLength(33);
  });

  test('a chart: 100 free games from a frame that begins with its length', () => {
    const apps = parsePlayChart(chartBody())!;
    expect(apps).toHaveLength(100);
    expect(apps[0]).toMatchObject({
      storeAppId: 'com.oakever.meowdoku',
      name: 'Meowdoku: Brain Puzzle Games',
      developer: 'Oakever Games',
    });
    expect(apps.every((app) => app.developer !== null && app.iconUrl !== null)).toBe(true);
  });

  test('hints: five terms in their order', () => {
    expect(parsePlayHints(readRecording('android/suggest/pand.txt'))).toEqual([
      'pandora',
      'panda express app',
      'panda',
      'panda vpn',
      'panda games',
    ]);
  });

  test('a page: histogram, and similar apps instead of the developer’s own before them', () => {
    const page = parsePlayPage(readRecording('android/app-details/translate.html'), translate);
    expect(page).toMatchObject({
      rating: 4.26508,
      ratingCount: 9_039_805,
      histogram: [971_173, 306_894, 479_693, 878_696, 6_403_317],
    });
    expect(page.similar.map((app) => app.storeAppId).slice(0, 2)).toEqual([
      'com.google.android.dialer',
      'com.google.android.inputmethod.latin',
    ]);
    expect(page.similar).toHaveLength(6);
    expect(page.similarPath).toMatch(
      /^\/store\/apps\/collection\/cluster\?gsr=\w+%3D%3D:S:ANO1ljJOLuI$/,
    );
  });

  test('a cluster: 50 apps and a token', () => {
    const { items, token } = parsePlayCluster(clusterBody());
    expect(items).toHaveLength(50);
    expect(items[0]).toMatchObject({
      storeAppId: 'com.google.android.inputmethod.latin',
      rating: 4.50862,
    });
    expect(token).toHaveLength(246);
  });

  test('no recording is accepted as the response to another request', () => {
    const shell = readRecording('android/datasafety/missing.html');
    const others = [
      () => parsePlayCluster(shell),
      () => parsePlayPage(shell, translate),
      () => parsePlayPage(clusterBody(), translate),
    ];
    const frames = [
      () => parsePlayReviews(chartBody()),
      () => parsePlayChart(reviewsBody()),
      () => parsePlayHints(reviewsBody()),
    ];
    for (const read of [...others, ...frames])
      expect(read).toThrow(
        expect.objectContaining({ failure: 'unreadable', marker: 'rpc-missing' }),
      );
  });
});

describe.skipIf(!hasRecordings)('google-play-scraper agrees with us on the recorded', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(() => server.close());

  interface Found {
    appId: string;
    title: string;
    developer: string;
    score: number;
    icon: string;
  }
  /** Its types are those of an older version. */
  const library = googlePlay as unknown as Record<
    'list' | 'developer',
    (options: object) => Promise<Found[]>
  >;

  const throughServer = (body: string) => {
    server.respond((_request, response) => response.end(body));
    const rewrite = (options: { url: URL }) =>
      void (options.url = new URL(options.url.pathname + options.url.search, server.baseUrl));
    return { requestOptions: { hooks: { beforeRequest: [rewrite] } } };
  };

  test('reviews', async () => {
    const { data, nextPaginationToken } = await googlePlay.reviews({
      appId: 'x',
      num: 150,
      ...throughServer(reviewsBody()),
    });
    const ours = parsePlayReviews(reviewsBody())!;
    expect(ours.token).toBe(nextPaginationToken);
    expect(
      ours.reviews.map(({ storeReviewId, author, rating, body, version }) => [
        storeReviewId,
        author,
        rating,
        body,
        version,
      ]),
    ).toEqual(
      data.map((review) => [review.id, review.userName, review.score, review.text, review.version]),
    );
    // The library takes the first digits of the nanoseconds for milliseconds; the seconds are
    // right.
    expect(ours.reviews.map((review) => review.reviewedAt!.slice(0, 19))).toEqual(
      data.map((review) => review.date.slice(0, 19)),
    );
    expect(ours.reviews.map((review) => review.reply?.text ?? null)).toEqual(
      data.map((review) => review.replyText),
    );
  });

  test('chart', async () => {
    const theirs = await library.list({
      collection: 'TOP_FREE',
      category: 'GAME',
      num: 100,
      ...throughServer(chartBody()),
    });
    expect(
      parsePlayChart(chartBody())!.map(({ storeAppId, name, developer, rating }) => [
        storeAppId,
        name,
        developer,
        rating,
      ]),
    ).toEqual(theirs.map((app) => [app.appId, app.title, app.developer, app.score]));
  });

  test('hints', async () => {
    const body = readRecording('android/suggest/pand.txt');
    expect(parsePlayHints(body)).toEqual(
      await googlePlay.suggest({ term: 'pand', ...throughServer(body) }),
    );
  });

  // Its similar() bypasses the request options; a developer's page has the layout of a cluster.
  test('cluster', async () => {
    const theirs = await library.developer({
      devId: '1',
      num: 50,
      ...throughServer(clusterBody()),
    });
    expect(
      parsePlayCluster(clusterBody()).items.map(({ storeAppId, name, iconUrl }) => [
        storeAppId,
        name,
        iconUrl,
      ]),
    ).toEqual(theirs.map((app) => [app.appId, app.title, app.icon]));
  });

  test('histogram', async () => {
    const body = readRecording('android/app-details/translate.html');
    const theirs = await googlePlay.app({ appId: translate.storeAppId, ...throughServer(body) });
    expect(parsePlayPage(body, translate).histogram).toEqual(Object.values(theirs.histogram));
  });
});
