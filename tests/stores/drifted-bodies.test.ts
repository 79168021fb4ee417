import { describe, expect, test } from 'vitest';
import { parsePlayChart } from '#stores/android/parse-chart.ts';
import { parsePlayDetails } from '#stores/android/parse-details.ts';
import { parsePlayHints } from '#stores/android/parse-hints.ts';
import { parsePlayReviews } from '#stores/android/parse-reviews.ts';
import { parsePlaySearch } from '#stores/android/parse-search.ts';
import { parseItunesHints } from '#stores/ios/parse-hints.ts';
import { parseItunesLookup } from '#stores/ios/parse-lookup.ts';
import { parseAppPage } from '#stores/ios/parse-page.ts';
import { parseItunesReviews, parseItunesReviewsXml } from '#stores/ios/parse-reviews.ts';
import { parseItunesSearch } from '#stores/ios/parse-search.ts';
import { parseWebSearch } from '#stores/ios/parse-web-search.ts';
import { readUrl } from '#stores/ios/urls.ts';
import {
  continuationFrame,
  detailsPage,
  islandPage,
  itunesBody,
  itunesResult,
  playItem,
  sparse,
} from './pages.ts';

/** Classes of drift that mutations.test.ts has found: each body contradicts itself. */
const id = 'com.example.app';
const link = (path: string) => [null, null, null, null, [null, null, path]];
const frame = (rpc: string, payload: unknown) => continuationFrame(JSON.stringify(payload), rpc);
const searchOf = (...sections: unknown[]) =>
  parsePlaySearch(islandPage([{ rpc: 'lGYRle', data: [[null, sections]] }]));
const listOf = (items: unknown[], end: unknown = ['']) => sparse({ 22: [items, end] });
const chartOf = (...sections: unknown[]) => parsePlayChart(frame('vyAe2', [[null, sections]]));
const chartPart = (appId: string) => sparse({ 28: [[playItem(appId)]] });
const hint = (text: string) => [text, null, link(`/store/search?q=${text}&c=apps`)];
const entry = (more: object = {}) => ({
  author: { name: { label: 'A' } },
  'im:rating': { label: '4' },
  'im:version': { label: '1.0' },
  id: { label: '123' },
  title: { label: 'T' },
  content: { label: 'B' },
  ...more,
});
const feed = (content: unknown) => JSON.stringify({ feed: content });
const other = entry({ id: { label: '124' } });
const token = 'x'.repeat(60);
const xmlEntry = (parts: string) =>
  '<feed><entry><id>1</id><title>T</title><author><name>N</name></author>' +
  `<im:rating>4</im:rating>${parts}</entry></feed>`;
const plist = (dict: string) =>
  `<plist><dict><key>hints</key><array><dict>${dict}</dict></array></dict></plist>`;
const apple = (entries: unknown) =>
  '<script type="application/json" id="serialized-server-data">' +
  `${JSON.stringify({ data: entries })}</script>`;
const web = (page: object) => {
  const intent = {
    $kind: 'SearchResultsPageIntent',
    term: 'weather',
    storefront: 'us',
    platform: 'iphone',
  };
  const data = { $kind: 'SearchResultsPage', ...page };
  const query = { phrase: 'weather', country: 'us', device: 'iphone' };
  return parseWebSearch(apple([{ intent, data }]), query);
};
const shelf = (items: unknown[], more: object = {}) => ({
  shelves: [{ id: 'SearchResults.shelfId', contentType: 'searchResult', items, ...more }],
});
const further = { results: [{ id: '5', type: 'apps' }] };

test('the name in an address may look like the number of another app', () => {
  const trackViewUrl = 'https://apps.apple.com/us/app/id3-editor/id910408628?uo=4';
  const body = itunesBody([itunesResult(910_408_628, { trackViewUrl })]);
  const search = parseItunesSearch(body, { device: 'iphone', limit: 200 });
  expect(search.items.map((app) => app.storeAppId)).toEqual(['910408628']);
  for (const name of ['id3-editor', 'id123'])
    expect(readUrl(`https://apps.apple.com/us/app/${name}/id910408628?uo=4`)).toEqual({
      storeAppId: '910408628',
      country: 'us',
    });
});

describe('a body that contradicts itself is unreadable:', () => {
  test.each<[string, string, () => unknown]>([
    [
      'a result of an unknown kind in a search',
      'kind',
      () =>
        parseItunesSearch(itunesBody([itunesResult(1), itunesResult(2, { kind: 'app' })]), {
          device: 'iphone',
          limit: 200,
        }),
    ],
    [
      'a result with the address of another app',
      'other-id',
      () =>
        parseItunesSearch(itunesBody([{ ...itunesResult(1), trackId: 2 }]), {
          device: 'iphone',
          limit: 200,
        }),
    ],
    [
      'entries of a feed outside their list',
      'entries-moved',
      () => parseItunesReviews(feed({ entry: [entry()], entryMore: [other] })),
    ],
    [
      'a feed in another member',
      'entries-moved',
      () => parseItunesReviews(feed({ value: { entry: [entry()] } })),
    ],
    [
      'one review of several without its version',
      'version',
      () => parseItunesReviews(feed({ entry: [entry({ 'im:version': undefined }), other] })),
    ],
    [
      'one review of several without its rating',
      'im-rating',
      () => parseItunesReviews(feed({ entry: [entry({ 'im:rating': undefined }), other] })),
    ],
    [
      'a review whose title has another form',
      'title',
      () => parseItunesReviews(feed({ entry: entry({ title: 'T' }) })),
    ],
    [
      'a review with HTML only',
      'body',
      () => parseItunesReviewsXml(xmlEntry('<content type="html">&lt;b&gt;</content>')),
    ],
    [
      'a hint whose term is missing before its address',
      'dict',
      () => parseItunesHints(plist('<key>term</key><key>url</key><string>https://x/</string>')),
    ],
    [
      'further ids of a search page under another name',
      'web-next-moved',
      () => web({ ...shelf([]), nextPageV2: further }),
    ],
    ['further ids after no results', 'web-items', () => web({ ...shelf([]), nextPage: further })],
    [
      'results of a search page outside their list',
      'web-items-moved',
      () => web(shelf([], { itemsMore: [{ lockup: { adamId: '5' } }] })),
    ],
    ['a search without sections', 'nothing', () => searchOf()],
    ['a list without apps', 'list', () => searchOf(listOf([]))],
    ['a list without its end', 'list-end', () => searchOf(sparse({ 22: [[playItem(id)]] }))],
    [
      'apps of a section beside its list',
      'apps-missing',
      () => searchOf(sparse({ 22: [[playItem('com.a.b')], [''], [playItem('com.c.d')]] })),
    ],
    [
      'an app with a link to another one',
      'other-id',
      () => searchOf(listOf([playItem(id, { 10: link('/store/apps/details?id=com.a.b') })])),
    ],
    [
      'an app whose fields have moved by one',
      'item-moved',
      () => searchOf(listOf([playItem(id, { 9: link(`/store/apps/details?id=${id}`) })])),
    ],
    [
      'a token in another place',
      'token-moved',
      () => searchOf(listOf([playItem(id)], ['', null, [null, token]])),
    ],
    [
      'a chart in two parts',
      'apps-missing',
      () => chartOf(chartPart('com.a.b'), chartPart('com.c.d')),
    ],
    [
      'hints in two lists',
      'hints',
      () => parsePlayHints(frame('IJ4APc', [[[hint('a')], [hint('b')]]])),
    ],
    [
      'a payload in another place',
      'payload-moved',
      () =>
        parsePlayReviews(
          `)]}'\n\n${JSON.stringify([['wrb.fr', 'UsvDTd', null, '[["id-1"]]', null, null]])}`,
        ),
    ],
    [
      'a token after no reviews',
      'reviews',
      () => parsePlayReviews(frame('UsvDTd', [[], [null, token]])),
    ],
    [
      'details whose fields have moved by one',
      'details-moved',
      () =>
        parsePlayDetails(detailsPage(id, { 76: [id], 77: null }), {
          storeAppId: id,
          country: 'us',
        }),
    ],
  ])('%s', (_what, marker, parse) => {
    expect(parse).toThrow(expect.objectContaining({ failure: 'unreadable', marker }) as Error);
  });
});

describe('a fact that the rest of the body contradicts is unread:', () => {
  const lookUp = (more: object) =>
    parseItunesLookup(itunesBody([itunesResult(1, { ...more })]), { country: 'us', limit: 1 })
      .get('1')!
      .unread.toSorted();
  const details = (more: Record<number, unknown>) =>
    parsePlayDetails(detailsPage(id, more), { storeAppId: id, country: 'us' }).unread;
  const ratedPage = (ratings: unknown) =>
    parseAppPage(
      apple([
        {
          data: {
            lockup: { adamId: '5', title: 'App', subtitle: 'Sub', rating: 4.5 },
            shelfMapping: { informationRibbon: null, productRatings: ratings, similarItems: null },
          },
        },
      ]),
      '5',
    ).unread;

  test('a count without a rating, and a rating without a count', () => {
    expect(lookUp({ userRatingCount: 7 })).toEqual(['rating']);
    expect(lookUp({ averageUserRating: 4 })).toEqual(['ratingCount']);
    expect(lookUp({ averageUserRating: 4, userRatingCount: 7 })).toEqual([]);
  });

  test('a price that is missing beside its text', () => {
    expect(lookUp({ formattedPrice: 'Free' })).toEqual(['priceMicros']);
  });

  test('ratings that are missing on the page of a rated app, or do not add up', () => {
    const all = ['rating', 'ratingCount', 'histogram'];
    const ratings = (more: object) => ({
      items: [
        { ratingAverage: 4.5, totalNumberOfRatings: 10, ratingCounts: [5, 5, 0, 0, 0], ...more },
      ],
    });
    expect(ratedPage(ratings({}))).toEqual([]);
    for (const shelfOfRatings of [null, { items: [] }, { items: [{ value: {} }] }])
      expect(ratedPage(shelfOfRatings)).toEqual(all);
    expect(ratedPage(ratings({ totalNumberOfRatings: 70 }))).toEqual(['ratingCount', 'histogram']);
    expect(ratedPage(ratings({ ratingAverage: 3 }))).toEqual(['rating', 'histogram']);
  });

  test('an icon that is not a square, and a developer with the text of installs', () => {
    const banner = [null, 2, [500, 1024], [null, null, 'https://a.b/banner']];
    expect(details({ 95: [banner] })).toEqual(['iconUrl']);
    expect(details({ 68: ['1,000,000+', link('/store/apps/dev?id=7')] })).toEqual(['developer']);
  });

  test('installs that have moved to the place of their exact number', () => {
    expect(details({ 13: [null, '1,000+', 1000, 1234] })).toEqual(['installs']);
  });

  test('a record in place of a list, and an update before the store opened', () => {
    expect(details({ 140: 17 })).toEqual(['version', 'minimumOsVersion']);
    expect(details({ 145: [['Jan 1, 1970', [0]]] })).toContain('updatedAt');
  });
});
