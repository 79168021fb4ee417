import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, listDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { readAt } from './changes.fixtures.ts';
import {
  insertDailyRank,
  insertListings,
  insertSerp,
  setLatestDailyRank,
} from './competitors.fixtures.ts';
import { insertApp, marketIdOf } from './keywords.fixtures.ts';
import { importPopularity, makeWorkbook } from './popularity.fixtures.ts';

const storeAppId = '1500000201';
const today = '2026-11-21';
const yesterday = addDays(today, -1);
const phrases = ['habit streak', 'mood diary'];

let api: TestApi;
let ann: Account;
let bob: Account;
let appId: number;
let foreignAppId: number;

beforeAll(async () => {
  api = await startApi();
  [ann, bob] = [await api.signUp(), await api.signUp()];
  const { id, listingId } = await insertApp(api, ann, { storeAppId });
  appId = id;
  foreignAppId = (await insertApp(api, bob, { storeAppId })).id;
  await readAt(api, storeAppId, '2026-11-20T09:00:00Z', {
    name: 'Lumen: Habit Tracker',
    subtitle: 'Mood journal & goals',
  });
  const save = (account: Account, app: number, text: string) =>
    api.ok(
      'PUT /apps/{id}/keyword-field',
      { params: { id: app }, body: { text, locale: 'en-US' } },
      account,
    );
  await save(ann, appId, 'streak');
  await save(bob, foreignAppId, 'diary');
  const body = { phrases, countries: ['us', 'de'] };
  const params = { id: appId };
  const { added } = await api.ok('POST /apps/{id}/keywords', { params, body }, ann);
  await api.ok('POST /apps/{id}/country-scores', { params, body }, ann);
  await api.db.pool.query('update keywords set tracking_periods = $1', [
    JSON.stringify([['2026-11-01', 200]]),
  ]);
  const [entrant, ...others] = await insertListings(api, 51);
  for (const { id: keywordId, phrase, country } of added) {
    const marketId = await marketIdOf(api, phrase, country);
    for (const day of listDays('2026-11-12', today))
      await insertSerp(api, marketId, day, day === today ? [entrant!, ...others] : others);
    await insertDailyRank(api, { listingId, marketId, day: yesterday }, { position: 30 });
    await insertDailyRank(api, { listingId, marketId, day: today }, { position: 5 });
    await setLatestDailyRank(api, keywordId, today, 5);
  }
  await api.db.pool.query('update users set operator = true where id = $1', [ann.userId]);
  const rows = ['United States', 'Germany'].flatMap((country) =>
    phrases.map((term, index) => ({ country, term, rank: index + 1 })),
  );
  await importPopularity(api, ann, makeWorkbook(rows, '2026-10'));
});
afterAll(() => api.close());

type Words = { word: string; field: string | null }[] | null | undefined;
interface Row {
  phrase: string;
  country: string;
  words?: Words;
}

const days = { from: yesterday, to: today };
const listTerms = async (app?: number): Promise<Row[]> => {
  const pages = ['us', 'de'].map(async (country) => {
    const query = { country, ...(app !== undefined && { appId: app }) };
    const { items } = await api.ok('GET /popularity/terms', { query }, ann);
    return items.map(({ term, words }) => ({ phrase: term, country, words }));
  });
  return (await Promise.all(pages)).flat();
};
const listCompared = async (query: { include?: 'words' }): Promise<Row[]> => {
  const { items } = await api.ok(
    'GET /apps/{id}/rankings/compare',
    { params: { id: appId }, query: { a: yesterday, b: today, ...query } },
    ann,
  );
  return items;
};
const ofApp = () => ({ params: { id: appId } });
const lists: Record<string, () => Promise<Row[]>> = {
  'scores by country': async () =>
    (await api.ok('GET /apps/{id}/country-scores', ofApp(), ann)).items,
  'a briefing': async () => (await api.ok('GET /apps/{id}/briefing', ofApp(), ann)).movers,
  movers: async () =>
    (await api.ok('GET /apps/{id}/rankings/movers', { ...ofApp(), query: days }, ann)).gained,
  'a comparison of two days': () => listCompared({ include: 'words' }),
  entrants: async () =>
    (await api.ok('GET /apps/{id}/serp/entrants', { ...ofApp(), query: { from: today } }, ann))
      .items,
  'top search terms': () => listTerms(appId),
};

const printed = (rows: readonly Row[]) =>
  Object.fromEntries(
    rows.map(({ phrase, country, words }) => [
      `${phrase} ${country}`,
      words?.map(({ word, field }) => `${word}: ${field}`) ?? words,
    ]),
  );

describe('the words of phrases', () => {
  // "diary" is in the field that another workspace saved for the same app of the store.
  test.each(Object.keys(lists))(
    'are located in %s, in the own texts of the country',
    async (of) => {
      expect(printed(await lists[of]!())).toEqual({
        'habit streak us': ['habit: title', 'streak: keywordField'],
        'mood diary us': ['mood: subtitle', 'diary: null'],
        'habit streak de': null,
        'mood diary de': null,
      });
    },
  );

  test('of search terms are located for an own app only', async () => {
    for (const app of [undefined, foreignAppId, 2_147_483_000])
      expect(new Set(Object.values(printed(await listTerms(app))))).toEqual(new Set([null]));
  });

  test('of a comparison are left out unless they are requested', async () => {
    const rows = await listCompared({});
    expect(rows.length).toBe(4);
    expect(rows.filter((row) => 'words' in row)).toEqual([]);
  });
});
