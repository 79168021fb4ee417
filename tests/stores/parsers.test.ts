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

describe('iTunes', () => {
  test('an app shown twice keeps its first position only', () => {
    const { items, returned } = parseItunesSearch(
      itunesBody([itunesResult(5), itunesResult(6), itunesResult(5)]),
      200,
    );
    expect([idsOf(items), returned]).toEqual([['5', '6'], 3]);
  });

  test('Mac apps are removed before positions are numbered', () => {
    const { items } = parseItunesSearch(
      itunesBody([itunesResult(1, { kind: 'mac-software' }), itunesResult(2)]),
      200,
    );
    expect(idsOf(items)).toEqual(['2']);
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
      itunesBody([itunesResult(1, { averageUserRating: 0, userRatingCount: 0, artistName: ' ' })]),
      200,
    );
    expect(items[0]).toMatchObject({
      rating: null,
      ratingCount: 0,
      developer: null,
      iconUrl: null,
    });
    const listing = parseItunesLookup(itunesBody([itunesResult(1)]), {
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
      screenshotUrls: ['https://a.b/c.png'],
    });
  });

  test('a country that is not served is not_offered', () => {
    const body = '{"errorMessage":"Invalid value(s) for key(s): [country]","queryParameters":{}}';
    expect(() => parseItunesSearch(body, 200)).toThrow(
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

  test('installs are never read from text, and are null if absent', () => {
    expect(() =>
      parsePlayDetails(detailsPage(query.storeAppId, { 13: ['1,000+', 1000, '1234'] }), query),
    ).toThrow(/installs/);
    expect(() =>
      parsePlayDetails(detailsPage(query.storeAppId, { 13: ['1,000+', 1000, 12.5] }), query),
    ).toThrow(/installs/);
    expect(
      parsePlayDetails(detailsPage(query.storeAppId, { 13: null }), query).installs,
    ).toBeNull();
  });

  test('a release day is read from seconds, or from the text form shared by all languages', () => {
    const releasedAt = (value: unknown) =>
      parsePlayDetails(detailsPage(query.storeAppId, { 10: value }), query).releasedAt;
    expect(releasedAt(['6 juil. 2026', [1_783_296_000]])).toBe('2026-07-06T00:00:00.000Z');
    expect(releasedAt(['Jul 6, 2026'])).toBe('2026-07-06T00:00:00.000Z');
    expect(releasedAt(['6 juil. 2026'])).toBeNull();
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
      expect(() => parseItunesSearch(page, 200)).toThrow();
      toPlainText(page);
    });
    // Linear time is some tenths of a second; quadratic time was four minutes.
    expect(cpuMs).toBeLessThan(20_000);
  });
});
