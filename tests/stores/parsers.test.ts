import { describe, expect, test } from 'vitest';
import { readIslands } from '#stores/android/islands.ts';
import { parsePlayContinuation } from '#stores/android/parse-continuation.ts';
import { parsePlayDetails } from '#stores/android/parse-details.ts';
import { parsePlaySearch } from '#stores/android/parse-search.ts';
import { toPlainText } from '#stores/android/plain-text.ts';
import { parseItunesLookup } from '#stores/ios/parse-lookup.ts';
import { parseItunesSearch } from '#stores/ios/parse-search.ts';
import { measureDepth } from '#stores/ios/search.ts';
import { cpuMsOf } from '../harness/cpu-time.ts';
import {
  clusterItem,
  continuationFrame,
  detailsPage,
  ids,
  islandPage,
  itunesBody,
  itunesResult,
  playItem,
  searchData,
  searchPage,
  sparse,
} from './pages.ts';

const query = { storeAppId: 'com.example.app', country: 'us' };
const featuredSection = (id: string) =>
  sparse({
    23: sparse({ 16: [null, null, sparse({ 0: ['Featured'], 68: ['Dev'] }), { 12: [[id, 7]] }] }),
  });
const pageWith = (...sections: unknown[]) =>
  islandPage([{ rpc: 'lGYRle', data: [[null, sections]] }]);
const listOf = (appIds: string[]) => sparse({ 22: [appIds.map((id) => playItem(id)), ['']] });
const idsOf = (items: { storeAppId: string }[]) => items.map((item) => item.storeAppId);

/** The keys of a result that every app has, and the fields that are read from them, in order. */
const alwaysThere = [
  ['bundleId', 'bundleId'],
  ['artistName', 'developer'],
  ['artworkUrl512', 'iconUrl'],
  ['description', 'description'],
  ['trackViewUrl', 'storeUrl'],
  ['primaryGenreId', 'categoryId'],
  ['primaryGenreName', 'category'],
  ['currency', 'currency'],
  ['version', 'version'],
  ['releaseDate', 'releasedAt'],
  ['currentVersionReleaseDate', 'updatedAt'],
  ['trackContentRating', 'contentRating'],
  ['fileSizeBytes', 'sizeBytes'],
  ['minimumOsVersion', 'minimumOsVersion'],
  ['languageCodesISO2A', 'languages'],
  ['screenshotUrls', 'screenshotUrls'],
  ['artistId', 'developerId'],
  ['artistViewUrl', 'developerUrl'],
] as const;

describe('iTunes', () => {
  test('an app shown twice keeps its first position only', () => {
    const { items, returned } = parseItunesSearch(
      itunesBody([itunesResult(5), itunesResult(6), itunesResult(5)]),
      { device: 'iphone', limit: 200 },
    );
    expect([idsOf(items), returned]).toEqual([['5', '6'], 3]);
  });

  test('Mac apps are removed before positions are numbered', () => {
    const { items } = parseItunesSearch(
      itunesBody([itunesResult(1, { kind: 'mac-software' }), itunesResult(2)]),
      { device: 'iphone', limit: 200 },
    );
    expect(idsOf(items)).toEqual(['2']);
  });

  test('a Mac search has positions of Mac apps alone, and is unreadable without one', () => {
    const on = (device: string, ...kinds: string[]) =>
      parseItunesSearch(itunesBody(kinds.map((kind, index) => itunesResult(index + 1, { kind }))), {
        device,
        limit: 200,
      });
    const { items, returned } = on('mac', 'software', 'mac-software', 'software', 'mac-software');
    expect([idsOf(items), returned]).toEqual([['2', '4'], 4]);
    expect(idsOf(on('ipad', 'software', 'mac-software').items)).toEqual(['1']);
    const noSoftware = expect.objectContaining({ failure: 'unreadable', marker: 'no-software' });
    expect(() => on('mac', 'software')).toThrow(noSoftware as Error);
    expect(() => on('ipad', 'mac-software')).toThrow(noSoftware as Error);
  });

  test('a full response reduced by Mac apps is as deep as the positions seen', () => {
    const items = [{ storeAppId: '1' }] as never;
    expect(measureDepth({ items, returned: 200 }, 200)).toMatchObject({
      end: 'truncated',
      depthReached: 1,
    });
    expect(measureDepth({ items, returned: 199 }, 200)).toMatchObject({
      end: 'exhausted',
      depthReached: 1,
    });
    expect(measureDepth({ items, returned: 0 }, 200)).toMatchObject({ end: 'exhausted' });
    expect(measureDepth({ items, returned: 200 }, 250)).toMatchObject({
      end: 'truncated',
      depthReached: 1,
    });
    expect(measureDepth({ items, returned: 3 }, 1)).toMatchObject({
      end: 'depth',
      depthReached: 1,
    });
  });

  test('a rating of 0 means unrated; absent values are null, never 0 or empty text', () => {
    const { items } = parseItunesSearch(
      itunesBody([
        itunesResult(1, {
          averageUserRating: 0,
          userRatingCount: 0,
          artistName: ' ',
          artworkUrl512: undefined,
        }),
      ]),
      { device: 'iphone', limit: 200 },
    );
    expect(items[0]).toMatchObject({
      rating: null,
      ratingCount: 0,
      developer: null,
      iconUrl: null,
      unread: ['developer', 'iconUrl'],
    });
    const absent = Object.fromEntries(alwaysThere.map(([key]) => [key, undefined]));
    const listing = parseItunesLookup(itunesBody([itunesResult(1, absent)]), {
      country: 'gb',
      limit: 1,
    }).get('1');
    expect(listing).toMatchObject({
      priceMicros: null,
      currency: null,
      sizeBytes: null,
      releasedAt: null,
      description: null,
      languages: [],
    });
    expect(listing!.storeUrl).toBe('https://apps.apple.com/gb/app/id1');
    expect(listing!.unread).toEqual(alwaysThere.map(([, field]) => field));
  });

  test.each([
    [0.99, 990_000],
    [1.29, 1_290_000],
    [19.99, 19_990_000],
    [0.1 + 0.2, 300_000],
    [149_000, 149_000_000_000],
  ])('a price of %d is %d millionths, as an integer', (price, micros) => {
    const listing = parseItunesLookup(itunesBody([itunesResult(1, { price })]), {
      country: 'us',
      limit: 1,
    }).get('1');
    expect(listing!.priceMicros).toBe(micros);
  });

  const lookUp = (...results: unknown[]) =>
    parseItunesLookup(itunesBody(results), { country: 'us', limit: results.length });

  test.each([
    ['renamed', { kind: 'app' }],
    ['renamed, with its wrapper', { kind: 'app', wrapperType: 'app' }],
    ['renamed, in a wrapper of other media', { kind: 'app', wrapperType: 'track' }],
    ['absent', { kind: undefined }],
    ['absent, with its wrapper', { kind: undefined, wrapperType: undefined }],
    ['a number', { kind: 1 }],
  ])('a lookup whose kind is %s is unreadable, never a missing app', (_what, more) => {
    expect(() => lookUp(itunesResult(1, more))).toThrow(
      expect.objectContaining({ failure: 'unreadable', marker: 'kind' }),
    );
    expect(() => lookUp(itunesResult(2), itunesResult(1, more))).toThrow(/kind/);
  });

  test.each([
    ['2026-05-26T18:17:16Z', '2026-05-26T18:17:16.000Z'],
    ['2026-05-26T18:17:16-07:00', '2026-05-27T01:17:16.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ...[
      ['99', '2026', '2026-05-26', '26/05/2026', 'May 26, 2026', 'yesterday 5'],
      ['2026-05-26T18:17:16', '2026-05-26 18:17:16Z', '2026-02-30T00:00:00Z', '1779819436'],
      ['2026-13-01T00:00:00Z', '2026-05-26T25:00:00Z', '2199-01-01T00:00:00Z', ' ', 99, null, {}],
    ].flatMap((others) => others.map((text): [unknown, null] => [text, null])),
  ])('a date of iTunes is in one of the two forms that were seen: %j', (text, instant) => {
    const dates = { releaseDate: text, currentVersionReleaseDate: text };
    expect(lookUp(itunesResult(1, dates)).get('1')).toMatchObject({
      releasedAt: instant,
      updatedAt: instant,
    });
  });

  test.each<[number, number | null]>([
    [39433.00000000001, 39_433],
    [39432.9999999, 39_433],
    [0.0000001, 0],
    [-0.0000001, 0],
    [39433.01, null],
    [12.5, null],
    [-1, null],
    [2 ** 53, null],
  ])('a count of %d is %j', (userRatingCount, ratingCount) => {
    const averageUserRating = (ratingCount ?? 0) > 0 ? 4.5 : undefined;
    const ratings = { userRatingCount, averageUserRating };
    const listing = lookUp(itunesResult(1, ratings)).get('1')!;
    expect(listing.ratingCount).toBe(ratingCount);
    expect(Object.is(listing.ratingCount, -0)).toBe(false);
    expect(listing.unread).toEqual(ratingCount === null ? ['ratingCount'] : []);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ['rating', { averageUserRating: 50 }, ['rating']],
    ['count', { userRatingCount: '12' }, ['ratingCount']],
    ['maker', { artistName: 5 }, ['developer']],
    ['price', { price: 'free' }, ['priceMicros']],
    ['size', { fileSizeBytes: '5 MB' }, ['sizeBytes']],
    ['date', { releaseDate: 'yesterday' }, ['releasedAt']],
    ['list of languages', { languageCodesISO2A: 'EN' }, ['languages']],
    ['list of pictures', { screenshotUrls: [5] }, ['screenshotUrls']],
    ['genre', { primaryGenreId: 'x', primaryGenreName: 5 }, ['categoryId', 'category']],
    ['address', { trackViewUrl: 5 }, ['storeUrl']],
  ])('an unreadable %s costs that field only', (_what, more, unread) => {
    const listing = lookUp(itunesResult(1, { description: 'Text', ...more })).get('1')!;
    expect(listing).toMatchObject({ name: 'App 1', description: 'Text', unread });
    const [card] = parseItunesSearch(itunesBody([itunesResult(1, more)]), {
      device: 'iphone',
      limit: 200,
    }).items;
    expect(card!.unread).toEqual(
      unread.filter((name) => ['rating', 'ratingCount', 'developer'].includes(name)),
    );
  });

  test('another field that is readable takes the place of an unreadable one', () => {
    const more = {
      artistName: 5,
      sellerName: 'Maker',
      contentAdvisoryRating: 4,
      trackContentRating: '4+',
    };
    expect(lookUp(itunesResult(1, more)).get('1')).toMatchObject({
      developer: 'Maker',
      contentRating: '4+',
      unread: [],
    });
  });

  test('a lookup of songs, books, developers and Mac apps has no apps', () => {
    const others = [
      { wrapperType: 'track', kind: 'song', trackId: 1 },
      { wrapperType: 'collection', collectionType: 'Album', collectionId: 2 },
      { wrapperType: 'artist', artistType: 'Software Artist', artistId: 3 },
      { wrapperType: 'audiobook', collectionId: 4 },
      { kind: 'ebook', trackId: 7 },
    ];
    const apps = [itunesResult(5, { kind: 'mac-software' }), itunesResult(6)];
    expect([...lookUp(...others, ...apps).keys()]).toEqual(['5', '6']);
  });

  test('addresses of another scheme and NUL characters are removed', () => {
    const result = itunesResult(1, {
      artworkUrl512: 'javascript:alert(1)',
      description: 'a\0b',
      screenshotUrls: ['data:x', 'https://a.b/c.png'],
    });
    const listing = parseItunesLookup(itunesBody([result]), { country: 'us', limit: 1 }).get('1');
    expect(listing).toMatchObject({
      iconUrl: null,
      description: 'ab',
      screenshotUrls: [],
      unread: ['iconUrl', 'screenshotUrls'],
    });
  });

  test('a country that is not served is not_offered', () => {
    const body = '{"errorMessage":"Invalid value(s) for key(s): [country]","queryParameters":{}}';
    expect(() => parseItunesSearch(body, { device: 'iphone', limit: 200 })).toThrow(
      expect.objectContaining({ failure: 'not_offered' }),
    );
  });
});

describe('Play', () => {
  test('the featured app is position 1, unless the list has it too', () => {
    expect(
      idsOf(
        parsePlaySearch(pageWith(featuredSection('com.a.b'), listOf(['com.c.d', 'com.e.f']))).items,
      ),
    ).toEqual(['com.a.b', 'com.c.d', 'com.e.f']);
    expect(
      idsOf(
        parsePlaySearch(pageWith(featuredSection('com.e.f'), listOf(['com.c.d', 'com.e.f']))).items,
      ),
    ).toEqual(['com.c.d', 'com.e.f']);
  });

  test('all sections of apps are read in the order of the page', () => {
    const other = sparse({ 3: [], 31: [['Something new']] });
    const page = (...sections: unknown[]) => parsePlaySearch(pageWith(...sections));
    const [first, second] = [listOf(['com.a.b', 'com.c.d']), listOf(['com.e.f', 'com.a.b'])];
    expect(idsOf(page(first, second).items)).toEqual(['com.a.b', 'com.c.d', 'com.e.f']);
    expect(idsOf(page(first, featuredSection('com.g.h'), second).items)).toEqual([
      'com.a.b',
      'com.c.d',
      'com.g.h',
      'com.e.f',
    ]);
    expect(idsOf(page(first, featuredSection('com.e.f'), second).items)).toEqual([
      'com.a.b',
      'com.c.d',
      'com.e.f',
    ]);
    const drifted = page(other, first, null, other, second);
    expect(idsOf(drifted.items)).toEqual(['com.a.b', 'com.c.d', 'com.e.f']);
    expect([drifted.unread, page(first, second).unread]).toEqual([['section', 'section'], []]);
  });

  test('a market without results has no drift, and one of unknown sections only has', () => {
    const none = sparse({ 3: [], 25: [['No results']] });
    expect(parsePlaySearch(pageWith(none))).toEqual({ items: [], token: null, unread: [] });
    const other = sparse({ 3: [], 31: [['Something new']] });
    expect(parsePlaySearch(pageWith(other)).unread).toEqual(['section']);
    const moved = sparse({ 3: [], 31: [[playItem('com.a.b')], ['']] });
    expect(() => parsePlaySearch(pageWith(moved))).toThrow(
      expect.objectContaining({ failure: 'unreadable', marker: 'list-moved' }),
    );
  });

  test('only the last list continues, because its further apps are next on the page', () => {
    const list = (id: string, token: string) =>
      sparse({ 22: [[playItem(id)], ['', null, null, [null, token]]] });
    const token = (...sections: unknown[]) => parsePlaySearch(pageWith(...sections)).token;
    expect(token(list('com.a.b', 'ONE'), list('com.c.d', 'TWO'))).toBe('TWO');
    expect(token(list('com.a.b', 'ONE'), listOf(['com.c.d']))).toBeNull();
    expect(token(list('com.a.b', 'ONE'), sparse({ 31: ['x'] }))).toBe('ONE');
  });

  test('the list is found by its rpc id, whatever the data keys are', () => {
    const pages = [
      { key: 'ds:9', rpc: 'lGYRle', data: searchData(['com.a.b']) },
      { key: 'ds:4', rpc: 'AZO9Cb', data: searchData(['com.x.y']) },
    ];
    expect(idsOf(parsePlaySearch(islandPage(pages)).items)).toEqual(['com.a.b']);
  });

  test('search phrases and review texts cannot pass for data of the page', () => {
    const phrase = `x'ds:0' : {id:'lGYRle',request:[]} "'ds:1' : {id:'lGYRle'"`;
    const description =
      `>AF_initDataCallback({key: 'ds:1', hash: '1', ` + 'data:[1], sideChannel: {}});';
    const html = islandPage([
      { key: 'ds:0', rpc: 'AZO9Cb', data: [description], request: [phrase] },
      { key: 'ds:1', rpc: 'lGYRle', data: searchData(['com.a.b']), request: [phrase] },
    ]);
    expect(idsOf(parsePlaySearch(html).items)).toEqual(['com.a.b']);
    expect(readIslands(html).find('lGYRle')).toHaveLength(1);
  });

  test('fields far apart, written as an object at the end of the array, are read too', () => {
    const record = [
      ['Sparse'],
      {
        '14': ['1+', 1, 7, '1+'],
        '141': [[['2.0']]],
        '146': [['Jul 6, 2026', [1_783_355_190, 0]]],
      },
    ];
    const html = islandPage([{ rpc: 'Ws7gDc', data: [[], [null, null, record]] }]);
    expect(parsePlayDetails(html, query)).toMatchObject({
      name: 'Sparse',
      installs: 7n,
      version: '2.0',
      updatedAt: '2026-07-06T16:26:30.000Z',
    });
  });

  test.each(['9223372036854775807', '9007199254740993', '0', '1619908402'])(
    '%s installs are read digit for digit',
    (exact) => {
      const html = detailsPage(query.storeAppId).replace('1000,1234', `1000,${exact}`);
      expect(parsePlayDetails(html, query).installs).toBe(BigInt(exact));
    },
  );

  test('installs are never read from text or fractions, and are not null without a word', () => {
    const read = (installs: unknown) =>
      parsePlayDetails(detailsPage(query.storeAppId, { 13: installs }), query);
    for (const exact of ['1234', 12.5, -1, true, [1234]]) {
      expect(read(['1,000+', 1000, exact])).toMatchObject({ installs: null, unread: ['installs'] });
    }
    expect(read(['1,000+', 1000, 1234.0000000001])).toMatchObject({ installs: 1234n, unread: [] });
    expect(read(null)).toMatchObject({ installs: null, unread: ['installs'] });
  });

  test('details without installs and without a date of an update are another page', () => {
    const read = (more: Record<number, unknown>) =>
      parsePlayDetails(detailsPage(query.storeAppId, { 13: null, 145: null, ...more }), query);
    const otherPage = expect.objectContaining({
      failure: 'unreadable',
      marker: 'other_page',
    }) as Error;
    expect(() => read({})).toThrow(otherPage);
    expect(() => read({ 18: [2] })).toThrow(otherPage);
    expect(() => read({ 13: ['1,000+', 1000, '1234'], 145: [['x', ['y']]] })).toThrow(otherPage);
    expect(read({ 13: ['1+', 1, 7] }).installs).toBe(7n);
    expect(read({ 145: [[null, [1_783_355_190]]] }).updatedAt).toBe('2026-07-06T16:26:30.000Z');
    // An app that is open for registration before its release.
    expect(read({ 18: [1] })).toMatchObject({ installs: null, updatedAt: null, unread: [] });
  });

  test('the page about data safety is not a listing', () => {
    const safety = sparse({ 100: [sparse({ 5: [null, null, 'https://a.b/'] })], 138: [[]] });
    const html = islandPage([{ rpc: 'Ws7gDc', data: [[[]], [null, null, [['Name'], safety]]] }]);
    expect(() => parsePlayDetails(html, query)).toThrow(
      expect.objectContaining({ failure: 'unreadable', marker: 'other_page' }),
    );
  });

  test.each<[string, Record<number, unknown>, string[]]>([
    ['summary', { 73: [[null, 7]] }, ['summary']],
    ['description', { 72: [[null, ['x']]] }, ['description']],
    ['description and translation', { 72: [[null, 1]], 12: [[[null, 2]]] }, ['description']],
    ['rating', { 51: [['9', 9], null, ['12', '12']] }, ['rating', 'ratingCount']],
    ['price', { 57: [[[[[null, [['1', 5]]]]]]] }, ['priceMicros', 'currency']],
    [
      'date, after which the fields may have moved,',
      { 145: [[null, ['yesterday']]] },
      ['updatedAt', 'version', 'releaseNotes', 'minimumOsVersion'],
    ],
    ['day of release', { 10: [null, ['x']] }, ['releasedAt']],
    ['pictures', { 78: [[[null, null, null, [null, null, 5]]]] }, ['screenshotUrls']],
    ['list of pictures', { 78: ['x'] }, ['screenshotUrls']],
    [
      'link of the developer',
      { 68: ['Dev', [null, null, null, null, [null, null, 5]]] },
      ['developerId', 'developerUrl'],
    ],
    ['purchases', { 19: [5] }, ['inAppPurchases']],
  ])('an unreadable %s costs that field only', (_what, more, unread) => {
    const listing = parsePlayDetails(detailsPage(query.storeAppId, more), query);
    expect(listing).toMatchObject({ name: `Name of ${query.storeAppId}`, installs: 1234n });
    expect(listing.unread).toEqual(unread);
    for (const name of unread as (keyof typeof listing)[]) expect(listing[name] ?? []).toEqual([]);
  });

  test('a readable translation is the description, whatever the original is', () => {
    const more = { 72: [[null, 1]], 12: [[[null, 'Hallo']]] };
    expect(parsePlayDetails(detailsPage(query.storeAppId, more), query)).toMatchObject({
      description: 'Hallo',
      unread: [],
    });
  });

  test('an unreadable field of a result costs that field only', () => {
    const items = [playItem('com.a.b', { 4: ['9', 9], 14: 5 }), playItem('com.c.d')];
    const html = islandPage([{ rpc: 'lGYRle', data: [[null, [sparse({ 22: [items, ['']] })]]] }]);
    expect(parsePlaySearch(html).items).toMatchObject([
      { storeAppId: 'com.a.b', rating: null, developer: null, unread: ['developer', 'rating'] },
      { storeAppId: 'com.c.d', rating: 4.2, unread: [] },
    ]);
  });

  test('a release day is read from seconds, or from the text form shared by all languages', () => {
    const releasedAt = (value: unknown) =>
      parsePlayDetails(detailsPage(query.storeAppId, { 10: value }), query).releasedAt;
    expect(releasedAt(['6 juil. 2026', [1_783_296_000]])).toBe('2026-07-06T00:00:00.000Z');
    expect(releasedAt(['Jul 6, 2026'])).toBe('2026-07-06T00:00:00.000Z');
    for (const text of ['6 juil. 2026', 'Feb 30, 2026', 'Foo 6, 2026', 'Jul 6, 26', '99', 7])
      expect(releasedAt([text])).toBeNull();
  });

  test('further pages are read in both layouts, as one array or in chunks', () => {
    const payload = JSON.stringify([
      [
        [
          [clusterItem('com.a.b'), playItem('com.c.d'), playItem('com.e.f')[0]],
          0,
          0,
          0,
          0,
          0,
          0,
          [null, 'TOKEN_-1'],
        ],
      ],
    ]);
    const whole = continuationFrame(payload);
    const chunked = `)]}'\n\n${whole.length}\n${whole.slice(6)}\n25\n[["e",4,null,null,99]]\n`;
    for (const body of [whole, chunked]) {
      const page = parsePlayContinuation(body)!;
      expect([idsOf(page.items), page.token]).toEqual([
        ['com.a.b', 'com.c.d', 'com.e.f'],
        'TOKEN_-1',
      ]);
    }
    expect(parsePlayContinuation(continuationFrame(null))).toBeNull();
  });

  test('a token that is not base64url is not put into a request', () => {
    expect(() => parsePlaySearch(searchPage(ids(3), '"],null,"x'))).toThrow(
      expect.objectContaining({ marker: 'token' }),
    );
  });

  test('simple HTML becomes text with breaks, without tags, decoded once', () => {
    expect(toPlainText('a<br>b &amp;lt; &#39;c&#x2019;<b>d</b> &bogus; 1 < 2')).toBe(
      "a\nb &lt; 'c’d &bogus; 1 < 2",
    );
  });
});

describe('hostile pages', () => {
  const big = (piece: string) => piece.repeat(Math.floor(4_000_000 / piece.length));
  const pages: Record<string, string> = {
    'callbacks without an end': big('>AF_initDataCallback({key: '),
    'scripts without data': big('>AF_initDataCallback(</script'),
    'quotes without an end': `AF_dataServiceRequests${big('"\\"')}AF_initDataChunkQueue`,
    'half entries': `AF_dataServiceRequests${big("'ds:1' : {id:'")}AF_initDataChunkQueue`,
    'open brackets': islandPage([{ rpc: 'lGYRle', data: null, json: big('[') }]),
    'deep brackets': islandPage([
      { rpc: 'lGYRle', data: null, json: `${'['.repeat(400_000)}${']'.repeat(400_000)}` },
    ]),
    'deep brackets in details': islandPage([
      { rpc: 'Ws7gDc', data: null, json: `${'['.repeat(400_000)}${']'.repeat(400_000)}` },
    ]),
    'angle brackets': big('<'),
    ampersands: big('&#'),
    guards: big(")]}'\n"),
    numbers: `)]}'\n\n${big('1\n')}`,
  };
  test.each(Object.keys(pages))('4 MB of %s end in an error, in linear time', (name) => {
    const page = pages[name]!;
    const cpuMs = cpuMsOf(() => {
      expect(() => parsePlaySearch(page)).toThrow();
      expect(() => parsePlayDetails(page, query)).toThrow();
      expect(() => parsePlayContinuation(page)).toThrow();
      expect(() => parseItunesSearch(page, { device: 'iphone', limit: 200 })).toThrow();
      toPlainText(page);
    });
    // Linear time is some tenths of a second; quadratic time was four minutes.
    expect(cpuMs).toBeLessThan(20_000);
  });
});
