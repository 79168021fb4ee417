import * as appStore from '@perttu/app-store-scraper';
import googlePlay from 'google-play-scraper';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parsePlayDetails } from '#stores/android/parse-details.ts';
import { parsePlaySearch } from '#stores/android/parse-search.ts';
import { parseItunesLookup } from '#stores/ios/parse-lookup.ts';
import { parseItunesSearch } from '#stores/ios/parse-search.ts';
import { hasRecordings, readRecording } from './fixtures.ts';
import { startStoreServer } from './store-server.ts';

const us = { country: 'us', limit: 200 };
const translate = { storeAppId: 'com.google.android.apps.translate', country: 'us' };

describe.skipIf(!hasRecordings)('recorded responses of the real stores', () => {
  test('panda: the featured app comes first, the list’s 19 follow, without a token', () => {
    const { items, token, unread } = parsePlaySearch(readRecording('android/search/panda.html'));
    expect(unread).toEqual([]);
    expect(items.map((item) => item.storeAppId).slice(0, 3)).toEqual([
      'com.pandaexpress.app',
      'com.sinyee.babybus.restaurant',
      'com.yq.xmmg.gp',
    ]);
    expect(items).toHaveLength(20);
    expect(items[4]).toMatchObject({ name: 'Panda Restaurant', rating: null, ratingCount: null });
    expect(items.flatMap((item) => item.unread)).toEqual([]);
    expect(items[0]).toMatchObject({
      name: 'Panda Express',
      developer: 'Panda Restaurant Group, Inc.',
      ratingCount: 66991,
    });
    expect(token).toBeNull();
  });

  test('translate: exact installs are read instead of the bucket', () => {
    const listing = parsePlayDetails(
      readRecording('android/app-details/translate.html'),
      translate,
    );
    expect(listing.installs).toBe(1_619_908_402n);
    expect(listing.unread).toEqual([]);
    expect(listing).toMatchObject({
      name: 'Google Translate',
      ratingCount: 9_039_805,
      priceMicros: 0,
      currency: 'USD',
      category: 'Tools',
      categoryId: 'TOOLS',
      updatedAt: '2026-07-06T16:26:30.000Z',
      releasedAt: null,
      version: null,
      developerId: '5700313618786177705',
    });
    expect(listing.description).toMatch(/^• Text translation: .*\n• Tap to Translate/);
    expect(listing.screenshotUrls).toHaveLength(18);
  });

  test('mas-slack: on a Mac only Mac apps have a position, and the response counts as 39', () => {
    const readOn = (device: string) =>
      parseItunesSearch(readRecording('ios/search/mas-slack.json'), { device, limit: 200 });
    const { items, returned } = readOn('mac');
    expect(items.map(({ name }) => name).slice(0, 2)).toEqual([
      'Slack',
      'Spark – Email App by Readdle',
    ]);
    expect([items.length, returned]).toEqual([37, 39]);
    expect(items.flatMap(({ unread }) => unread)).toEqual([]);
    expect(readOn('iphone').items.map(({ storeAppId }) => storeAppId)).toEqual([
      '1492913323',
      '1473469253',
    ]);
  });

  test('addapp: a response of 2019 is still readable', () => {
    const { items } = parseItunesSearch(readRecording('ios/search/addapp-search.json'), {
      device: 'iphone',
      limit: 200,
    });
    expect(items).toMatchObject([
      {
        storeAppId: '640199958',
        name: 'Apple Developer',
        bundleId: 'developer.apple.wwdc-Release',
      },
    ]);
  });

  test('headspace: every fact of a lookup is there, and missing ones are null', () => {
    const listing = parseItunesLookup(
      readRecording('ios/lookup/keywordista-headspace-us.json'),
      us,
    ).get('493145008');
    expect(listing).toMatchObject({
      name: 'Headspace: Sleep & Meditation',
      ratingCount: 974_036,
      rating: 4.84267,
      sizeBytes: 504_375_296n,
      priceMicros: 0,
      currency: 'USD',
      version: '8.16.0',
      releasedAt: '2012-02-02T18:57:49.000Z',
      updatedAt: '2026-05-26T18:17:16.000Z',
      contentRating: '12+',
      categoryId: '6013',
      languages: ['EN'],
      developerId: '384434796',
      subtitle: null,
      installs: null,
      inAppPurchases: null,
      unread: [],
    });
  });

  test('an unknown id is absent, without an error', () => {
    expect(parseItunesLookup(readRecording('ios/lookup/fastlane-empty.json'), us).size).toBe(0);
  });

  test('mas-slack-lookup: every fact of a Mac app is there but the genre of a chart', () => {
    const listing = parseItunesLookup(readRecording('ios/lookup/mas-slack-lookup.json'), us);
    expect(listing.get('803453959')).toMatchObject({
      bundleId: 'com.tinyspeck.slackmacgap',
      name: 'Slack',
      category: 'Business',
      categoryId: null,
      version: '3.3.3',
      minimumOsVersion: '10.9',
      sizeBytes: 74_398_324n,
      unread: [],
    });
  });

  test('an error response is bad_request; other recordings are never read as empty', () => {
    const invalid = readRecording('ios/errors/itunes-lookup-invalid-key.json');
    expect(() => parseItunesLookup(invalid, us)).toThrow(
      expect.objectContaining({ failure: 'bad_request' }),
    );
    const page11 = readRecording('ios/errors/customerreviews-page11.txt');
    expect(() => parseItunesSearch(page11, { device: 'iphone', limit: 200 })).toThrow(
      expect.objectContaining({ failure: 'unreadable' }),
    );
    const shell = readRecording('android/datasafety/missing.html');
    expect(() => parsePlaySearch(shell)).toThrow(
      expect.objectContaining({ failure: 'unreadable', marker: 'rpc-missing' }),
    );
    expect(() => parsePlaySearch(readRecording('android/similar/translate-cluster.html'))).toThrow(
      /lGYRle/,
    );
    expect(() => parsePlayDetails(readRecording('android/search/panda.html'), translate)).toThrow(
      /Ws7gDc/,
    );
    expect(() =>
      parsePlayDetails(readRecording('android/app-details/translate.html'), {
        ...translate,
        storeAppId: 'com.a.b',
      }),
    ).toThrow(expect.objectContaining({ marker: 'other-app' }));
  });
});

describe.skipIf(!hasRecordings)('popular libraries agree with us on the recordings:', () => {
  let server: Awaited<ReturnType<typeof startStoreServer>>;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(() => server.close());

  /** google-play-scraper cannot be given a base address; its HTTP client can. */
  const throughServer = () => ({
    requestOptions: {
      hooks: {
        beforeRequest: [
          (options: { url: URL }) =>
            void (options.url = new URL(options.url.pathname + options.url.search, server.baseUrl)),
        ],
      },
    },
  });
  const serve = (path: string) =>
    server.respond((_request, response) => response.end(readRecording(path)));
  const recordedFetch = (path: string) => ({
    requestOptions: { fetch: (async () => new Response(readRecording(path))) as typeof fetch },
  });

  test('google-play-scraper finds the same apps in the same order for panda', async () => {
    serve('android/search/panda.html');
    const theirs = await googlePlay.search({ term: 'panda', num: 20, ...throughServer() });
    const ours = parsePlaySearch(readRecording('android/search/panda.html')).items;
    expect(
      ours.map(({ storeAppId, name, developer, iconUrl }) => [
        storeAppId,
        name,
        developer,
        iconUrl,
      ]),
    ).toEqual(theirs.map((app) => [app.appId, app.title, app.developer, app.icon]));
    expect(ours.map((item) => item.rating)).toEqual(theirs.map((app) => app.score ?? null));
  });

  test('google-play-scraper reads the same facts from the details page', async () => {
    serve('android/app-details/translate.html');
    const theirs = await googlePlay.app({ appId: translate.storeAppId, ...throughServer() });
    const ours = parsePlayDetails(readRecording('android/app-details/translate.html'), translate);
    expect(ours.installs).toBe(BigInt(theirs.maxInstalls));
    expect([
      ours.name,
      ours.ratingCount,
      ours.rating,
      ours.summary,
      ours.categoryId,
      ours.contentRating,
    ]).toEqual([
      theirs.title,
      theirs.ratings,
      theirs.score,
      theirs.summary,
      theirs.genreId,
      theirs.contentRating,
    ]);
    expect(Date.parse(ours.updatedAt!)).toBe(theirs.updated);
    expect(ours.screenshotUrls).toEqual(theirs.screenshots);
    expect(ours.releaseNotes).toBe(theirs.recentChanges);
    expect(ours.description!.replace(/\s+/g, ' ')).toBe(
      theirs.description.replace(/\s+/g, ' ').trim(),
    );
  });

  test('@perttu/app-store-scraper finds the same apps and facts', async () => {
    const found = await appStore.search({
      term: 'x',
      num: 200,
      ...recordedFetch('ios/search/mas-slack.json'),
    });
    const ours = parseItunesSearch(readRecording('ios/search/mas-slack.json'), {
      device: 'iphone',
      limit: 200,
    }).items;
    expect(ours.map((item) => Number(item.storeAppId))).toEqual(
      (found as { id: number }[]).map((app) => app.id),
    );
    const app = await appStore.app({
      id: 493145008,
      ...recordedFetch('ios/lookup/keywordista-headspace-us.json'),
    });
    const listing = parseItunesLookup(
      readRecording('ios/lookup/keywordista-headspace-us.json'),
      us,
    ).get('493145008')!;
    expect([
      listing.name,
      listing.bundleId,
      listing.version,
      listing.developer,
      listing.description,
    ]).toEqual([app.title, app.appId, app.version, app.developer, app.description]);
    expect(listing.sizeBytes).toBe(BigInt(app.size));
    expect(listing.screenshotUrls).toEqual(app.screenshots);
  });
});
