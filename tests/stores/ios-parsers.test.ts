import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storefrontOf } from '#lib/apple-storefronts.ts';
import { parseItunesChart } from '#stores/ios/parse-chart.ts';
import { parseItunesHints } from '#stores/ios/parse-hints.ts';
import { parseAppPage } from '#stores/ios/parse-page.ts';
import { parseItunesReviews, parseItunesReviewsXml } from '#stores/ios/parse-reviews.ts';
import { redirectMarker } from '#stores/refusals.ts';
import { movedPagePath } from '#stores/ios/urls.ts';
import { decodeEntities } from '#stores/html-entities.ts';
import { readXml } from '#stores/ios/xml.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import { hasRecordings, readRecording } from './fixtures.ts';
import { anyOptions, openStores, startStoreServer } from './store-server.ts';

const failing = (failure: string, marker?: string) =>
  expect.objectContaining({ failure, ...(marker === undefined ? {} : { marker }) }) as Error;

describe.skipIf(!hasRecordings)('recordings', () => {
  test('50 reviews of 2021 have every fact, and no date since the store gave none', () => {
    const { reviews, entries, lastPage } = parseItunesReviews(
      readRecording('ios/reviews-rss-json/jcoynel-497799835_fr_1.json'),
    );
    expect([reviews.length, entries, lastPage]).toEqual([50, 50, 6]);
    for (const review of reviews) {
      expect(review).toMatchObject({
        reviewedAt: null,
        reply: null,
        author: expect.stringMatching(/^reviewer \d+$/) as string,
      });
      expect(review.storeReviewId).toMatch(/^\d{10,11}$/);
      expect([1, 2, 3, 4, 5]).toContain(review.rating);
      expect(review.body.length).toBeGreaterThan(0);
    }
  });

  test('a page of 4 and a page of none are read', () => {
    const { reviews } = parseItunesReviews(
      readRecording('ios/reviews-rss-json/jcoynel-1510826067_gb_1.json'),
    );
    expect(reviews.map((review) => review.storeReviewId)).toEqual([
      '6504352127',
      '6108405527',
      '6096833863',
      '6091772301',
    ]);
    expect(reviews[0]).toMatchObject({
      rating: 5,
      version: '1.1.0',
      title: 'Amazing photos integration',
      body: expect.stringContaining('👏') as string,
    });
    expect(
      parseItunesReviews(readRecording('ios/reviews-rss-json/jcoynel-empty_page.json')),
    ).toEqual({ reviews: [], entries: 0, lastPage: null });
  });

  test('page 11 is an invalid query', () => {
    const page11 = readRecording('ios/errors/customerreviews-page11.txt');
    expect(() => parseItunesReviews(page11)).toThrow(failing('bad_request', 'page-depth'));
  });

  test('headspace has a subtitle, stars from one to five and ten similar apps', () => {
    const html = readRecording('ios/app-page/headspace-us.html');
    const page = parseAppPage(html, '493145008');
    expect(page).toMatchObject({
      subtitle: 'Relax, Stress & Anxiety Relief',
      rating: 4.8,
      ratingCount: 974_031,
      histogram: [8_534, 4_054, 15_875, 75_188, 870_380],
      unread: [],
    });
    expect(page.similar).toHaveLength(10);
    expect(page.similar[0]).toMatchObject({
      storeAppId: '560442518',
      bundleId: 'com.bastion.smilingmind',
      name: 'Smiling Mind: Mental Wellbeing',
    });
    expect(page.similar[0]!.iconUrl).toMatch(
      /^https:\/\/is1-ssl\.mzstatic\.com\/.*\/512x512bb\.jpg$/,
    );
    expect(() => parseAppPage(html, '1')).toThrow(failing('unreadable', 'other-app'));
  });

  test('hints are read as described, also none', () => {
    expect(parseItunesHints(readRecording('ios/hints/SYNTHETIC-hints-photo-us.xml'))).toEqual([
      'photo editor',
      'photo & video "collage"',
    ]);
    expect(parseItunesHints(readRecording('ios/hints/SYNTHETIC-hints-no-storefront.xml'))).toEqual(
      [],
    );
  });

  test('storefronts are as recorded', () => {
    const recorded = JSON.parse(readRecording('ios/storefronts.json')) as Record<string, number>;
    // All other lists have this number for Trinidad and Tobago, and the next one for these islands.
    const { tc, ...others } = recorded;
    expect([tc, storefrontOf('tt')]).toEqual([143_551, 143_551]);
    for (const [country, storefront] of Object.entries(others))
      expect([country, storefrontOf(country)]).toEqual([country, storefront]);
  });
});

const entry = (more: object = {}) => ({
  author: { name: { label: 'A' } },
  'im:rating': { label: '4' },
  'im:version': { label: '1.0' },
  id: { label: '123' },
  title: { label: 'T' },
  content: { label: 'B' },
  updated: { label: '2026-05-26T18:17:16-07:00' },
  ...more,
});
const feed = (content: unknown) => JSON.stringify({ feed: content });

describe('reviews', () => {
  test('have UTC dates; one entry comes without an array; the app is not a review', () => {
    const [review] = parseItunesReviews(feed({ entry: entry() })).reviews;
    expect(review).toEqual({
      storeReviewId: '123',
      author: 'A',
      rating: 4,
      title: 'T',
      body: 'B',
      version: '1.0',
      reviewedAt: '2026-05-27T01:17:16.000Z',
      reply: null,
    });
    const old = parseItunesReviews(
      feed({ entry: [{ 'im:name': { label: 'The app' } }, entry(), entry()] }),
    );
    expect([old.reviews.length, old.entries]).toEqual([1, 3]);
  });

  test('have a date only in the form that was seen', () => {
    const reviewedAt = (label: unknown) =>
      parseItunesReviews(feed({ entry: entry({ updated: { label } }) })).reviews[0]!.reviewedAt;
    expect(reviewedAt('2026-05-26T18:17:16-07:00')).toBe('2026-05-27T01:17:16.000Z');
    expect(reviewedAt(undefined)).toBeNull();
    for (const text of ['99', '2026', 'Tue May 26 2026', '2026-02-30T00:00:00-08:00', 5])
      expect(() => reviewedAt(text)).toThrow(failing('unreadable', 'type'));
  });

  test.each([
    ['no feed', '{}'],
    ['no object', '[]'],
    ['no JSON', '{'],
    ['text', 'hello'],
    ['an entry that is text', feed({ entry: ['x'] })],
    [
      'entries without a rating',
      feed({ entry: [entry({ 'im:rating': undefined }), entry({ 'im:rating': undefined })] }),
    ],
    ['six stars', feed({ entry: entry({ 'im:rating': { label: '6' } }) })],
    ['no stars', feed({ entry: entry({ 'im:rating': { label: '0' } }) })],
    ['an invalid id', feed({ entry: entry({ id: { label: '<script>' } }) })],
    ['a body that is a number', feed({ entry: entry({ content: { label: 7 } }) })],
    ['an author that is text', feed({ entry: entry({ author: { name: { label: {} } } }) })],
    ['more than a thousand entries', feed({ entry: Array(1_001).fill(entry()) })],
  ])('%s is unreadable', (_what, body) => {
    expect(() => parseItunesReviews(body)).toThrow(failing('unreadable'));
  });

  test('that are empty bodies or HTML are refusals in both forms', () => {
    for (const parse of [parseItunesReviews, parseItunesReviewsXml]) {
      expect(() => parse(' \n')).toThrow(failing('refused', 'empty'));
      expect(() => parse('<html><body>Access denied</body></html>')).toThrow(
        failing('refused', 'html'),
      );
    }
    expect(() => parseItunesReviewsXml('<rss></rss>')).toThrow(failing('unreadable', 'feed'));
  });

  test('have long texts cut, NUL removed, and entities and markup kept as text', () => {
    const { reviews } = parseItunesReviews(
      feed({ entry: entry({ content: { label: `\0<b>&amp;${'x'.repeat(30_000)}` } }) }),
    );
    expect(reviews[0]!.body.startsWith('<b>&amp;xxx')).toBe(true);
    expect(reviews[0]!.body.length).toBeLessThanOrEqual(20_000);
  });

  test('in XML use the plain text instead of HTML, decoded once', () => {
    const xml = `<?xml version="1.0"?><feed xmlns="a" xmlns:im="b">
      <link rel="last" href="https://x/page=3/id=1"/><entry><id>9</id>
      <title>A &amp;amp; B</title><content type="html">&lt;b&gt;no&lt;/b&gt;</content>
      <content type="text">it&#39;s &#x2019;fine&#x2019;</content>
      <im:rating>2</im:rating><author><name>N</name></author><updated>2026-01-02T03:04:05-08:00</updated></entry></feed>`;
    const { reviews, lastPage } = parseItunesReviewsXml(xml);
    expect(lastPage).toBe(3);
    expect(reviews).toMatchObject([
      {
        title: 'A &amp; B',
        body: "it's ’fine’",
        rating: 2,
        reviewedAt: '2026-01-02T11:04:05.000Z',
        version: null,
      },
    ]);
  });
});

describe('charts', () => {
  const entry = (more: object = {}) => ({
    'im:name': { label: 'App' },
    id: { attributes: { 'im:id': '5', 'im:bundleId': 'a.b' } },
    ...more,
  });

  const overall = { limit: 200, category: null };

  test('keep an app’s first position, read a single entry, and take the largest picture', () => {
    const other = entry({ id: { attributes: { 'im:id': '6' } } });
    expect(
      parseItunesChart(feed({ entry: [entry(), other, entry()] }), overall).map(
        (app) => app.storeAppId,
      ),
    ).toEqual(['5', '6']);
    const image = (height: string) => ({
      label: `https://x/${height}.png`,
      attributes: { height },
    });
    const [app] = parseItunesChart(
      feed({ entry: entry({ 'im:image': [image('53'), image('100'), image('75')] }) }),
      overall,
    );
    expect(app!.iconUrl).toBe('https://x/100.png');
    const [hostile] = parseItunesChart(
      feed({ entry: entry({ 'im:image': { label: 'javascript:alert(1)' } }) }),
      overall,
    );
    expect(hostile!.iconUrl).toBeNull();
  });

  test.each([
    ['no entries', feed({}), 'soft-empty'],
    ['more entries than requested', feed({ entry: [entry(), entry(), entry()] }), 'too-many'],
    ['an entry without an id', feed({ entry: entry({ id: {} }) }), 'im-id'],
    ['an entry without a name', feed({ entry: entry({ 'im:name': undefined }) }), 'im-name'],
  ])('%s is unreadable', (_what, body, marker) => {
    expect(() => parseItunesChart(body, { limit: 2, category: null })).toThrow(
      failing('unreadable', marker),
    );
  });
});

describe('the genre of a chart', () => {
  const entry = (genre: string | null, at: number) => ({
    'im:name': { label: 'App' },
    id: { attributes: { 'im:id': String(at + 1) } },
    ...(genre === null ? {} : { category: { attributes: { 'im:id': genre } } }),
  });
  const self = (path: string) => ({
    attributes: {
      rel: 'self',
      href: `https://itunes.apple.com/us/rss/topfreeapplications/${path}`,
    },
  });
  const read = (category: string | null, genres: (string | null)[], path: string | null) => {
    const link = path === null ? {} : { link: [self(path)] };
    const body = feed({ entry: genres.map(entry), ...link });
    return parseItunesChart(body, { limit: 200, category }).length;
  };
  const own = 'limit=200/genre=6013/json';

  test.each<[string, string | null, (string | null)[], string | null]>([
    ['named by link and entries', '6013', ['6013', '6013'], own],
    ['named before other parts of the link', '6013', ['6013'], 'genre=6013/limit=200/json'],
    ['named by the entries alone', '6013', ['6013', '6013'], null],
    ['named by the link alone', '6013', [null, null], own],
    ['the second one of some apps', '6013', ['6013', '6012', '6013'], own],
    ['a kind of games, whose entries say games', '7001', ['6014', '6014'], 'genre=7001/json'],
    ['games, whose entries say their kinds', '6014', ['7001', '7012'], 'genre=6014/json'],
    ['none', null, ['6013', '6014'], 'limit=200/json'],
    ['none, without a link', null, ['6013', '6014'], null],
  ])('is %s', (_what, category, genres, path) => {
    expect(read(category, genres, path)).toBe(genres.length);
  });

  test.each<[string, string | null, (string | null)[], string | null]>([
    ['the chart of all apps, also by its link', '6013', ['6013', '6014'], 'limit=200/json'],
    ['the chart of all apps under our link', '6013', ['6014', '6016', '6013', '6005'], own],
    ['the chart of all apps without a link', '6013', ['6014', '6016', '6013', '6005'], null],
    ['the chart of another genre', '6013', ['6014', '6014'], 'limit=200/genre=6014/json'],
    ['a longer genre', '601', ['601'], own],
    ['a chart that proves nothing', '6013', [null, null], null],
    ['the chart of a genre instead of all apps', null, ['6013'], own],
  ])('is missing in %s, which is unreadable', (_what, category, genres, path) => {
    expect(() => read(category, genres, path)).toThrow(failing('unreadable', 'other-genre'));
  });
});

describe('hints and their XML', () => {
  const plist = (inside: string) =>
    `<plist version="1.0"><dict><key>hints</key>${inside}</dict></plist>`;

  test('have plain strings of older variants, CDATA and comments, each term once', () => {
    const list =
      '<array><string>a &lt;b&gt;</string><!-- <string>no</string> --><string><![CDATA[c & ' +
      'd]]></string><string>a &lt;b&gt;</string></array>';
    expect(parseItunesHints(plist(list))).toEqual(['a <b>', 'c & d']);
  });

  test.each([
    ['no plist', '<dict/>'],
    ['no hints', '<plist><dict><key>title</key><string>x</string></dict></plist>'],
    ['hints that are not an array', plist('<string>x</string>')],
    [
      'a hint without a term',
      plist('<array><dict><key>url</key><string>x</string></dict></array>'),
    ],
    ['an unclosed tag', '<plist><dict><key>hints</key><array>'],
    ['overlapping tags', plist('<array><string>x</array></string>')],
    ['something after the root', '</plist>'],
    ['JSON', '{"hints":[]}'],
    ['endless nesting', '<a>'.repeat(100_000)],
    ['endless elements', `<plist>${'<b/>'.repeat(50_000)}</plist>`],
    ['endless comments', '<!--x>'.repeat(300_000)],
    ['endless sections', '<![CDATA[x>'.repeat(300_000)],
    ['an endless tag', `<plist ${'a="'.repeat(20_000)}`],
  ])('%s is unreadable, quickly', (_what, body) => {
    const parse = () => expect(() => parseItunesHints(body)).toThrow(failing('unreadable'));
    expect(cpuMsOf(parse, 1_000)).toBeLessThan(1_000);
  });

  test('have entities decoded once, except those that the document defines', () => {
    expect(decodeEntities('&amp;lt; &#38;amp; &quot;&apos;&#x1F600;')).toBe('&lt; &amp; "\'😀');
    expect(decodeEntities('&lol; &#0; &#xD800; &#x110000; & &amp')).toBe(
      '&lol; &#0; &#xD800; &#x110000; & &amp',
    );
    expect(readXml(`<!DOCTYPE x><x a="1 &gt; 0" b='"'>&lol;</x>`)).toMatchObject({
      attributes: { a: '1 > 0', b: '"' },
      text: '&lol;',
    });
    expect(() => readXml(`<!DOCTYPE x [<!ENTITY lol "lol">]><x>&lol;</x>`)).toThrow(
      failing('unreadable', 'xml'),
    );
  });
});

describe('the app page', () => {
  const lockup = { adamId: '5', title: 'App', subtitle: 'Sub' };
  const page = (data: unknown) =>
    '<html><script type="application/json" ' +
    `id="serialized-server-data">${JSON.stringify({ data: [{ data }] })}</script></html>`;
  const shelves = (more: object = {}) => ({
    lockup,
    shelfMapping: { informationRibbon: null, productRatings: null, similarItems: null, ...more },
  });

  test('has null for shelves that the page does not show', () => {
    expect(parseAppPage(page(shelves()), '5')).toEqual({
      subtitle: 'Sub',
      rating: null,
      ratingCount: null,
      histogram: null,
      similar: [],
      unread: [],
    });
  });

  test.each([
    ['a subtitle with its tagline', { subtitle: 'Sub', developerTagline: 'Sub' }, 'Sub'],
    ['a subtitle without a tagline', { subtitle: 'Sub' }, 'Sub'],
    ['a subtitle beside another tagline', { subtitle: 'Sub', developerTagline: 'X' }, 'Sub'],
    [
      'a subtitle like a genre',
      { subtitle: 'Gesundheit', developerTagline: 'Gesundheit' },
      'Gesundheit',
    ],
    ['the genre', { subtitle: 'Gesundheit' }, null],
    ['the genre beside a tagline', { subtitle: 'Gesundheit', developerTagline: 'X' }, null],
    ['nothing', {}, null],
  ])('has %s where the lockup shows it', (_what, texts, subtitle) => {
    const ribbon = {
      items: [
        null,
        { key: 'developer', caption: 'Sub' },
        { key: 'category', caption: 'Gesundheit' },
      ],
    };
    const lockup = { adamId: '5', title: 'App', ...texts };
    const html = page({ ...shelves({ informationRibbon: ribbon }), lockup });
    expect(parseAppPage(html, '5').subtitle).toBe(subtitle);
  });

  test('has no subtitle if the lockup shows a genre and the ribbon is missing', () => {
    const lockup = { adamId: '5', title: 'App', subtitle: 'Health & Fitness' };
    expect(parseAppPage(page({ ...shelves(), lockup }), '5').subtitle).toBeNull();
  });

  test('excludes the app itself and duplicates from similar apps', () => {
    const similarItems = {
      items: [lockup, { ...lockup, adamId: '6' }, { ...lockup, adamId: '6' }],
    };
    expect(parseAppPage(page(shelves({ similarItems })), '5').similar).toMatchObject([
      { storeAppId: '6', iconUrl: null, developer: null },
    ]);
  });

  test('has stars within a millionth of whole numbers', () => {
    const counts = [39433.00000000001, 5, 4, 2.9999999999, 1];
    const productRatings = {
      items: [{ ratingCounts: counts, totalNumberOfRatings: 39446.0000001, ratingAverage: 5 }],
    };
    expect(parseAppPage(page(shelves({ productRatings })), '5')).toMatchObject({
      histogram: [1, 3, 4, 5, 39_433],
      ratingCount: 39_446,
      unread: [],
    });
  });

  test.each<[string, object, string[]]>([
    ['four kinds of stars', { ratingCounts: [1, 2, 3, 4] }, ['histogram']],
    ['stars that are text', { ratingCounts: ['1', 2, 3, 4, 5] }, ['histogram']],
    ['half a star', { ratingCounts: [1.5, 2, 3, 4, 5] }, ['histogram']],
    ['stars that are no list', { ratingCounts: 5 }, ['histogram']],
    ['a rating of 50', { ratingAverage: 50 }, ['rating']],
    ['a count as text', { totalNumberOfRatings: '974K' }, ['ratingCount']],
  ])('loses that fact only by %s', (_what, ratings, unread) => {
    const productRatings = { items: [ratings] };
    const read = parseAppPage(page(shelves({ productRatings })), '5');
    expect(read).toMatchObject({ subtitle: 'Sub', histogram: null, rating: null, unread });
  });

  test('loses the subtitle only, and a similar app its rating, by other types', () => {
    const similarItems = {
      items: [
        {
          adamId: '6',
          title: 'Six',
          rating: 'good',
          bundleId: 'a.b',
          icon: { template: 'https://a.b/{w}.{f}' },
        },
      ],
    };
    const html = page({ ...shelves({ similarItems }), lockup: { ...lockup, subtitle: 5 } });
    expect(parseAppPage(html, '5')).toMatchObject({
      subtitle: null,
      unread: ['subtitle'],
      similar: [{ storeAppId: '6', rating: null, unread: ['rating'] }],
    });
  });

  test.each([
    ['no island', '<html></html>', 'island-missing'],
    ['a data block that is not JSON', '<script id="serialized-server-data">{</script>', 'json'],
    ['no product', page(null), 'page-data'],
    ['no shelves', page({ lockup }), 'shelves'],
    ['shelves of other names', page({ lockup, shelfMapping: { a: 1 } }), 'shelves'],
    ['a shelf that is text', page(shelves({ similarItems: 'x' })), 'shelf'],
    [
      'a similar app without an id',
      page(shelves({ similarItems: { items: [{ title: 'x' }] } })),
      'adam-id',
    ],
  ])('%s is unreadable', (_what, html, marker) => {
    expect(() => parseAppPage(html, '5')).toThrow(failing('unreadable', marker));
  });
});

describe('a page that redirects', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>;
  let open: ReturnType<typeof openStores>;
  beforeAll(async () => {
    server = await startStoreServer();
    open = openStores(server.baseUrl);
  });
  afterAll(async () => {
    await open.close();
    await server.close();
  });
  const query = { storeAppId: '5', country: 'us' };
  const data = {
    lockup: { adamId: '5', title: 'App', subtitle: 'Sub' },
    shelfMapping: { informationRibbon: null },
  };
  const html =
    '<script type="application/json" ' +
    `id="serialized-server-data">${JSON.stringify({ data: [{ data }] })}</script>`;

  test('is followed once to the same app and country, with the same grants', async () => {
    server.respond((request, response) => {
      if (request.url?.includes('/my-app/')) response.end(html);
      else response.writeHead(301, { location: 'https://apps.apple.com/us/app/my-app/id5' }).end();
    });
    const page = await open.stores.ios.page(query, anyOptions());
    expect([page.subtitle, page.cost.requests]).toEqual(['Sub', 2]);
    expect(server.asked.map((asked) => asked.url)).toEqual([
      '/apps.apple.com/us/app/id5',
      '/apps.apple.com/us/app/my-app/id5',
    ]);
  });

  test.each(['sorry', 'consent'])(
    'is followed to an app named "%s", which is not a captcha page',
    async (name) => {
      server.respond((request, response) => {
        if (request.url?.includes(`/${name}/`)) response.end(html);
        else
          response.writeHead(301, { location: `https://apps.apple.com/us/app/${name}/id5` }).end();
      });
      expect((await open.stores.ios.page(query, anyOptions())).cost.requests).toBe(2);
      expect([redirectMarker(`https://apps.apple.com/us/app/${name}/id6`), open.refusals]).toEqual([
        null,
        [],
      ]);
    },
  );

  test('is not followed elsewhere or in circles', async () => {
    const locations = [
      'https://evil.example/',
      'https://apps.apple.com/de/app/id5',
      'https://apps.apple.com/us/app/x/id6',
      '//apps.apple.com/us/',
      '',
    ];
    for (const location of locations) {
      server.respond((_request, response) => response.writeHead(302, { location }).end());
      await expect(open.stores.ios.page(query, anyOptions())).rejects.toMatchObject({
        failure: 'unreadable',
        marker: 'redirect',
        cost: { requests: 1 },
      });
    }
    server.respond((_request, response) =>
      response.writeHead(302, { location: 'https://apps.apple.com/us/app/x/id5' }).end(),
    );
    await expect(open.stores.ios.page(query, anyOptions())).rejects.toMatchObject({
      failure: 'unreadable',
      marker: 'redirect',
      cost: { requests: 2 },
    });
    expect(movedPagePath('https://apps.apple.com/us/app/../../x/id5', query)).toBeNull();
  });
});
