import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseWebSearch, type WebSearchQuery } from '#stores/ios/parse-web-search.ts';
import { searchWeb } from '#stores/ios/web-search.ts';
import { parseItunesLookup } from '#stores/ios/parse-lookup.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { openStoreContext } from './store-context.ts';
import { anyOptions } from './store-server.ts';

const failing = (failure: string, marker: string) =>
  expect.objectContaining({ failure, marker }) as Error;
const weather: WebSearchQuery = { phrase: 'weather', country: 'us', device: 'iphone' };

type Part = Record<string, unknown>;
const lockup = (id: number): Part => ({
  adamId: String(id),
  title: `App ${id}`,
  developerName: 'Northlight',
  bundleId: `com.northlight.app${id}`,
  rating: 4.5,
  ratingCount: 12_345,
  icon: { template: 'https://is1-ssl.mzstatic.com/image/{w}x{h}{c}.{f}' },
});
const app = (id: number, changes: Part = {}): Part => ({
  $kind: 'AppSearchResult',
  resultType: 'content',
  lockup: { ...lockup(id), ...changes },
});
const ad = (id: number): Part => ({ ...app(id), resultType: 'ad' });
const event = (id: number): Part => ({
  $kind: 'AppEventSearchResult',
  resultType: 'appEvent',
  lockup: lockup(id),
});
const further = (...ids: number[]) => ({
  results: ids.map((id) => ({ id: `${id}`, type: 'apps' })),
});
const shelfOf = (items: unknown): Part => ({
  id: 'SearchResults.shelfId',
  contentType: 'searchResult',
  items,
});
const entryOf = (page: Part, intent: Part = {}): Part => ({
  intent: {
    $kind: 'SearchResultsPageIntent',
    term: 'weather',
    storefront: 'us',
    platform: 'iphone',
    ...intent,
  },
  data: { $kind: 'SearchResultsPage', ...page },
});
const island = (text: string) =>
  `<html><script type="application/json" id="serialized-server-data">${text}</script></html>`;
const htmlOf = (...entries: Part[]) => island(JSON.stringify({ data: entries }));
const pageOf = (items: Part[], nextPage: unknown = null) =>
  htmlOf(entryOf({ shelves: [{ id: 'other', items: 5 }, shelfOf(items)], nextPage }));
const read = (html: string) => {
  const { results, ads, hasMore } = parseWebSearch(html, weather);
  return { ids: results.map(({ storeAppId }) => Number(storeAppId)), ads, hasMore };
};

describe('the order', () => {
  test('is that of apps and events; ads and items of other kinds have no position', () => {
    const others = [
      'EditorialSearchResult',
      'DeveloperSearchResult',
      'AppBundleSearchResult',
      'InAppSearchResult',
      'GroupingSearchResult',
    ].map(($kind) => ({ $kind }));
    const items = [ad(9), app(1), event(1), ...others, app(2), ad(1), event(3), app(3), app(4)];
    expect(read(pageOf(items))).toEqual({ ids: [1, 2, 3, 4], ads: [1, 3], hasMore: false });
  });

  test('goes on with further ids that repeat the shelf, or begin after it', () => {
    const items = [app(1), app(2), app(3)];
    const all = { ids: [1, 2, 3, 4, 5], ads: [], hasMore: true };
    expect(read(pageOf(items, further(1, 2, 3, 4, 5)))).toEqual(all);
    expect(read(pageOf(items, further(4, 5, 4)))).toEqual(all);
    const { results } = further(4, 5);
    const mixed = { results: [{ id: 'x', type: 'in-apps' }, ...results] };
    expect(read(pageOf(items, mixed))).toEqual(all);
  });

  test.each([
    ['some of the shelf', [3, 4]],
    ['the shelf in another order', [2, 1, 3, 4]],
    ['the shelf at a later place', [4, 1, 2, 3]],
  ])('is unreadable when further ids repeat %s', (_name, ids) => {
    expect(() => read(pageOf([app(1), app(2), app(3)], further(...ids)))).toThrow(
      failing('unreadable', 'web-order'),
    );
  });

  test('is empty where the store has no results', () => {
    expect(read(pageOf([]))).toEqual({ ids: [], ads: [], hasMore: false });
  });
});

describe('an app', () => {
  const cardOf = (changes: Part, intent: Part = {}) =>
    parseWebSearch(htmlOf(entryOf({ shelves: [shelfOf([app(1, changes)])] }, intent)), weather)
      .results[0]!.card;

  test('has the facts of its lockup', () => {
    expect(cardOf({})).toEqual({
      storeAppId: '1',
      bundleId: 'com.northlight.app1',
      name: 'App 1',
      developer: 'Northlight',
      iconUrl: 'https://is1-ssl.mzstatic.com/image/512x512bb.jpg',
      rating: 4.5,
      ratingCount: 12_345,
      unread: [],
    });
  });

  test.each([
    ['1.2K', 1_200],
    ['35M', 35_000_000],
    ['873', 873],
    [undefined, null],
    [0, 0],
  ])('with %s ratings has %s', (ratingCount, expected) => {
    expect(cardOf({ ratingCount })?.ratingCount).toBe(expected);
  });

  test.each([
    ['4.9K', 'en-US', 4_900],
    ['12,345', 'en-GB', 12_345],
    ['1.2M', 'en-IN', 1_200_000],
    ['1,19,000', 'en-IN', 119_000],
    ['12.345', 'de-DE', 12_345],
    ['974.031', 'it-IT', 974_031],
    ['5,2\u00a0Mio.', 'de-DE', 5_200_000],
    ["12'345", 'de-CH', 12_345],
    ['4,9 k', 'fr-FR', 4_900],
    ['12\u202f345', 'fr-FR', 12_345],
    ['1,2 mil', 'pt-BR', 1_200],
    ['1,2\u00a0mi', 'pt-BR', 1_200_000],
    ['4,9 mil', 'es-ES', 4_900],
    ['4.9 k', 'es-MX', 4_900],
    ['4,9 тыс.', 'ru', 4_900],
    ['1.2万', 'ja', 12_000],
    ['97万', 'zh-Hans-CN', 970_000],
    ['1.2萬', 'zh-Hant-TW', 12_000],
    ['4.9천', 'ko', 4_900],
    ['4,9 B', 'tr', 4_900],
  ])('with the text %s in %s has the count', (ratingCount, language, expected) => {
    expect(cardOf({ ratingCount }, { language })).toMatchObject({
      ratingCount: expected,
      unread: [],
    });
  });

  test.each([
    ['12.345', 'en-US'],
    ['119.000', 'en-US'],
    ['4.9K', 'de-DE'],
    ['1,2', 'de-DE'],
    ['1.234.56', 'de-DE'],
    ['1.2万', 'en-US'],
    ['12.345', 'xx'],
    ['4.9K', 'no language'],
    ['9'.repeat(20), 'en-US'],
  ])('with the text %s in %s has no count, rather than another', (ratingCount, language) => {
    expect(cardOf({ ratingCount }, { language })).toMatchObject({
      ratingCount: null,
      unread: ['ratingCount'],
    });
  });

  test.each([
    [{ adamId: undefined }, 'adam-id'],
    [{ adamId: '0' }, 'adam-id'],
    [{ title: ' ' }, 'title'],
  ])('with %j is unreadable', (changes, marker) => {
    expect(() => cardOf(changes)).toThrow(failing('unreadable', marker));
  });

  test.each([
    [{ rating: '4.5' }, 'rating'],
    [{ ratingCount: '1,2' }, 'ratingCount'],
    [{ ratingCount: '-1' }, 'ratingCount'],
  ] as const)('with %j keeps its position without the field', (changes, field) => {
    expect(cardOf(changes)).toMatchObject({ [field]: null, unread: [field] });
  });
});

describe('a page', () => {
  const entry = entryOf({ shelves: [shelfOf([app(1), app(2)])], nextPage: null });

  test('may hold a bare list, and its data escaped', () => {
    const expected = read(htmlOf(entry));
    const json = JSON.stringify([{ intent: { $kind: 'Other' }, data: null }, entry]);
    const escaped = json.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    expect([read(island(json)), read(island(escaped))]).toEqual([expected, expected]);
  });

  test.each([
    [{ term: 'whether' }, 'web-term'],
    [{ term: 5 }, 'web-term'],
    [{ storefront: 'gb' }, 'web-storefront'],
    [{ storefront: undefined }, 'web-storefront'],
    [{ storefront: '143444-1,29' }, 'web-storefront'],
    [{ platform: 'ipad' }, 'web-platform'],
  ])('for %j is refused: it has the results of another search', (intent, marker) => {
    const html = htmlOf(entryOf({ shelves: [shelfOf([app(1)])] }, intent));
    expect(() => read(html)).toThrow(failing('unreadable', marker));
  });

  test.each(
    ['iphone', 'ipad', 'mac'].flatMap((device) =>
      ['iphone', 'ipad', 'mac', 'watch', 'iPad', undefined]
        .filter((platform) => platform !== device)
        .map((platform) => [device, platform] as const),
    ),
  )('on %s are not those of the platform %s', (device, platform) => {
    const html = htmlOf(entryOf({ shelves: [shelfOf([app(1)])] }, { platform }));
    expect(() => parseWebSearch(html, { ...weather, device })).toThrow(
      failing('unreadable', 'web-platform'),
    );
  });

  test('may have a term that differs in case, spaces and form, and a numbered storefront', () => {
    const intent = { term: ' Café  Weather', storefront: '143441-1,29' };
    const html = htmlOf(entryOf({ shelves: [shelfOf([app(1)])] }, intent));
    expect(parseWebSearch(html, { ...weather, phrase: 'cafe\u0301 weather' }).results).toHaveLength(
      1,
    );
  });

  const shelves = (...items: unknown[]) => htmlOf(entryOf({ shelves: items }));
  test.each([
    ['two entries of results', htmlOf(entry, entry), 'web-intent'],
    ['no entry of results', htmlOf({ intent: { $kind: 'Other' } }), 'web-intent'],
    ['another kind of page', htmlOf({ ...entry, data: { $kind: 'Page' } }), 'web-page'],
    ['no shelves', htmlOf(entryOf({})), 'web-shelf'],
    ['a renamed shelf', shelves({ ...shelfOf([]), id: 'Results' }), 'web-shelf'],
    ['two shelves', shelves(shelfOf([]), shelfOf([])), 'web-shelf'],
    ['a shelf of another type', shelves({ ...shelfOf([]), contentType: 'x' }), 'web-shelf'],
    ['a shelf without items', shelves(shelfOf(null)), 'web-items'],
    ['an item without a kind', pageOf([{}]), 'web-item'],
    ['an unknown kind of item', pageOf([{ $kind: 'StorySearchResult' }]), 'web-item-kind'],
    ['an unknown type of result', pageOf([{ ...app(1), resultType: 'new' }]), 'web-item-kind'],
    ['a result without an app', pageOf([{ ...app(1), lockup: null }]), 'web-lockup'],
    ['an unknown next page', pageOf([app(1)], { ids: [] }), 'web-next-page'],
    ['an unknown further type', pageOf([app(1)], { results: [{ id: '2' }] }), 'web-next-type'],
    [
      'a further app without an id',
      pageOf([app(1)], { results: [{ id: 'x', type: 'apps' }] }),
      'web-next-id',
    ],
    ['data that is not JSON', island('{"data": ['), 'json'],
    ['no data', '<html><body>Hello</body></html>', 'island-missing'],
  ])('with %s is unreadable', (_name, html, marker) => {
    expect(() => read(html)).toThrow(failing('unreadable', marker));
  });

  test.each([
    ['', 'empty'],
    ['<html>Too Many Requests</html>', '429'],
  ])('that refuses (%j) is a refusal', (html, marker) => {
    expect(() => read(html)).toThrow(failing('refused', marker));
  });
});

describe('the simulated store', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ now: new Date('2026-07-15T12:00:00Z') });
  });
  afterAll(() => simulator.close());

  const ask = async ({ phrase, country, device }: WebSearchQuery) => {
    const path = `/apps.apple.com/${country}/${device}/search?term=${encodeURIComponent(phrase)}`;
    return (await fetch(simulator.baseUrl + path)).text();
  };

  test.each(
    ['weather', 'photo editor', 'habit tracker', 'notes', 'mood journal'].flatMap((phrase) =>
      ['iphone', 'ipad', 'mac'].map((device) => ({ phrase, country: 'de', device })),
    ),
  )('shows its own order for $phrase on $device', async (query) => {
    const market = { store: 'ios', phrase: query.phrase, country: 'de' } as const;
    const truth = simulator.order({ ...market, shownOn: query.device }).slice(0, 240);
    const { results, hasMore } = parseWebSearch(await ask(query), query);
    expect(results.map(({ storeAppId }) => storeAppId)).toEqual(truth);
    expect(hasMore).toBe(truth.length > 12);
    const others = ['api', 'iphone', 'ipad', 'mac'].filter((name) => name !== query.device);
    for (const shownOn of others)
      expect(truth).not.toEqual(simulator.order({ ...market, shownOn }).slice(0, 240));
  });

  test('is not asked about a country without an App Store', async () => {
    const { context, close } = openStoreContext('ios', simulator.baseUrl);
    simulator.clearLog();
    await expect(
      searchWeb(context, { ...weather, country: 'aq', depth: 100 }, anyOptions()),
    ).rejects.toMatchObject({ failure: 'not_offered', marker: 'storefront' });
    expect(simulator.log()).toEqual([]);
    await close();
  });

  test.each(['us', 'de', 'jp', 'fr', 'br', 'it', 'es'])(
    'shows counts in the language of %s, and they are read',
    async (country) => {
      const phrases = ['weather', 'photo editor', 'habit tracker', 'notes', 'mood journal'];
      for (const phrase of phrases) {
        const query = { phrase, country, device: 'iphone' };
        const cards = parseWebSearch(await ask(query), query).results.flatMap(
          ({ card }) => card ?? [],
        );
        const ids = cards.map(({ storeAppId }) => storeAppId);
        const path = `/itunes.apple.com/lookup?id=${ids.join(',')}&country=${country}`;
        const body = await (await fetch(simulator.baseUrl + path)).text();
        const listings = parseItunesLookup(body, { country, limit: 200 });
        for (const { storeAppId, ratingCount, unread } of cards) {
          const exact = listings.get(storeAppId)!.ratingCount ?? 0;
          expect(unread).toEqual([]);
          expect(Math.abs(ratingCount! - exact)).toBeLessThanOrEqual(exact * 0.05);
        }
      }
    },
  );

  test('of another country is refused', async () => {
    simulator.setFaults([{ fault: 'wrong-intent', host: 'apps.apple.com' }]);
    const html = await ask(weather);
    simulator.setFaults([]);
    expect(() => parseWebSearch(html, weather)).toThrow(failing('unreadable', 'web-storefront'));
  });

  test.each(['iphone', 'ipad', 'mac'])('of another device than %s is refused', async (device) => {
    simulator.setFaults([{ fault: 'wrong-platform', path: `/${device}/search` }]);
    const html = await ask({ ...weather, device });
    simulator.setFaults([]);
    expect(() => parseWebSearch(html, { ...weather, device })).toThrow(
      failing('unreadable', 'web-platform'),
    );
  });
});
