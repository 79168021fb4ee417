import { describe, expect, test } from 'vitest';
import { storefrontCountries } from '#lib/apple-storefronts.ts';
import { hasRecordings, readRecording } from './fixtures.ts';
import { itunesLanguage, knownCountries, playLanguage } from '#stores/languages.ts';
import { hostRoot } from '#stores/urls.ts';
import { nextPage } from '#stores/android/rpc.ts';
import { searchUrl } from '#stores/ios/urls.ts';
import { openStores } from './store-server.ts';

const { stores } = openStores('http://127.0.0.1:9');
const { ios, android } = stores;

describe('pasted addresses', () => {
  test.each([
    [
      'https://apps.apple.com/us/app/headspace-sleep-meditation/id493145008?uo=4',
      '493145008',
      'us',
    ],
    ['https://apps.apple.com/DE/app/id493145008', '493145008', 'de'],
    ['apps.apple.com/app/id493145008', '493145008', null],
    ['https://itunes.apple.com/jp/app/x/id284882215?mt=8', '284882215', 'jp'],
    ['  https://itunes.apple.com/app/apple-store/id375380948 ', '375380948', null],
    ['https://apps.apple.com/us/app/%E3%82%A2%E3%83%97%E3%83%AA/id1/', '1', 'us'],
  ])('%s is an iOS app', (url, storeAppId, country) => {
    expect(ios.readUrl(url)).toEqual({ storeAppId, country });
    expect(android.readUrl(url)).toBeNull();
  });

  test.each([
    [
      'https://play.google.com/store/apps/details?id=com.example.app&gl=DE&hl=de',
      'com.example.app',
      'de',
    ],
    ['play.google.com/store/apps/details?id=com.example.app', 'com.example.app', null],
    [
      'https://play.google.com/store/apps/details?id=com.example.app&gl=xxl',
      'com.example.app',
      null,
    ],
  ])('%s is an Android app', (url, storeAppId, country) => {
    expect(android.readUrl(url)).toEqual({ storeAppId, country });
    expect(ios.readUrl(url)).toBeNull();
  });

  test.each([
    '',
    ' ',
    'https://apps.apple.com@evil.example/us/app/id1',
    'https://apps.apple.com.evil.example/us/app/id1',
    'https://user:pass@apps.apple.com/us/app/id1',
    'https://apps.apple.com:8443/us/app/id1',
    'javascript://apps.apple.com/us/app/id1',
    'https://apps.apple.com/us/developer/x/id384434796',
    'https://apps.apple.com/us/app/x/id0',
    'https://apps.apple.com/us/app/x/id12345678901234567890',
    'https://play.google.com/store/apps/details?id=com.example.app%00',
    'https://play.google.com/store/apps/details?id=../../etc',
    'https://play.google.com/store/apps/dev?id=5700313618786177705',
    'https://play.google.com/store/apps/details',
    `https://play.google.com/store/apps/details?id=${'a.b'.repeat(10_000)}`,
    'file:///store/apps/details?id=com.example.app',
    'http://[::1',
    '\0',
  ])('%j is no app of either store', (url) => {
    expect([ios.readUrl(url), android.readUrl(url)]).toEqual([null, null]);
  });

  test('every address we show leads back to the app', () => {
    expect(ios.readUrl(ios.pageUrl('493145008', 'gb'))).toEqual({
      storeAppId: '493145008',
      country: 'gb',
    });
    expect(android.readUrl(android.pageUrl('com.a.b', 'gb'))).toEqual({
      storeAppId: 'com.a.b',
      country: 'gb',
    });
  });

  test('ids are whole numbers without leading zeros, or package names', () => {
    expect(
      ['1', '493145008', '0', '01', '-1', '1e5', '1.0', '', '9'.repeat(16)].map((id) =>
        ios.isStoreAppId(id),
      ),
    ).toEqual([true, true, ...Array(7).fill(false)]);
    expect(
      [
        'com.a',
        'com.Example_1.app',
        'com',
        'com.',
        '.com.a',
        'com.1a',
        'com.a b',
        `a.${'b'.repeat(200)}`,
      ].map((id) => android.isStoreAppId(id)),
    ).toEqual([true, true, false, false, false, false, false, false]);
  });
});

describe('requested addresses', () => {
  test('are on the store’s own hosts, or on one server under STORE_BASE_URL', () => {
    expect(hostRoot(null)('play.google.com')).toBe('https://play.google.com');
    expect(hostRoot('http://127.0.0.1:7000/')('play.google.com')).toBe(
      'http://127.0.0.1:7000/play.google.com',
    );
  });

  test('get no extra parameters from a phrase', () => {
    const url = new URL(
      searchUrl(hostRoot(null), { phrase: 'a&limit=1 b#c+ü', country: 'us', device: 'iphone' }),
    );
    expect([url.searchParams.get('term'), url.searchParams.getAll('limit'), url.hash]).toEqual([
      'a&limit=1 b#c+ü',
      ['200'],
      '',
    ]);
  });

  test('have the web page’s own body for further pages', () => {
    const { body } = nextPage(
      { root: hostRoot(null) },
      { kind: 'search', country: 'us', token: 'T-_', cookie: '' },
    );
    const request = JSON.parse(new URLSearchParams(body).get('f.req')!) as [
      [[string, string, null, string]],
    ];
    const [rpc, argument, , tag] = request[0][0];
    expect([rpc, tag, JSON.parse(argument)[0].at(-1), JSON.parse(argument)[0][1][0]]).toEqual([
      'qnKhOb',
      'generic',
      'T-_',
      [10, [10, 100]],
    ]);
  });

  test('have the country’s language, or English if unknown', () => {
    expect(['us', 'gb', 'de', 'br', 'mx', 'tw', 'JP', 'ch', 'ke', 'zz'].map(playLanguage)).toEqual([
      'en',
      'en-GB',
      'de',
      'pt-BR',
      'es-419',
      'zh-TW',
      'ja',
      'de',
      'en',
      'en',
    ]);
    expect([itunesLanguage('jp'), itunesLanguage('us'), itunesLanguage('de')]).toEqual([
      'ja_jp',
      null,
      null,
    ]);
  });

  test.skipIf(!hasRecordings)('have one language for every country of the App Store', () => {
    const countries = Object.keys(
      JSON.parse(readRecording('ios/storefronts.json')) as Record<string, number>,
    );
    const inEnglish = countries.filter((country) => playLanguage(country) === 'en');
    expect(countries.length).toBeGreaterThan(100);
    // The rest have a language of their own: English is assumed for this list.
    expect(
      inEnglish.filter((country) =>
        ['de', 'fr', 'jp', 'kr', 'cn', 'ru', 'br', 'it', 'es', 'tr', 'pl', 'nl'].includes(country),
      ),
    ).toEqual([]);
  });
});

test('the countries of Google Play include every storefront of the App Store', () => {
  const known = new Map(knownCountries().map(({ country, language }) => [country, language]));
  expect(storefrontCountries().filter((country) => !known.has(country))).toEqual([]);
  expect(['ke', 'sg', 'tt', 'zm', 'us'].map((country) => known.get(country))).toEqual(
    Array(5).fill('en'),
  );
});
