import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { readAt, trackSince } from './changes.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let ann: Account;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
});
afterAll(() => api.close());

async function trackApp(store: 'ios' | 'android', storeAppId: string, phrases: string[]) {
  const app = await insertApp(api, ann, { store, storeAppId });
  await trackSince(api, app.id, '2026-11-01T09:00:00Z');
  const body = { phrases, countries: ['us', 'de'] };
  await api.ok('POST /apps/{id}/keywords', { params: { id: app.id }, body }, ann);
  const list = async (include = 'words', account = ann) => {
    const query = { include, sort: 'createdAt', limit: 500 } as const;
    const { items } = await api.ok(
      'GET /apps/{id}/keywords',
      { params: { id: app.id }, query },
      account,
    );
    return Object.fromEntries(
      items.map(({ phrase, country, words }) => [
        `${phrase} ${country}`,
        words?.map(({ word, field }) => `${word}: ${field}`) ?? words,
      ]),
    );
  };
  return { ...app, list };
}

const texts = {
  name: 'Lumen: Habit Tracker',
  subtitle: 'Mood journal & habit goals',
  description: 'A calm planner.',
};

test('words of an iOS phrase are in the title, the subtitle or the keyword field', async () => {
  const app = await trackApp('ios', '1500000101', ['habit tracker', 'mood diary', 'calm planner']);
  await readAt(api, '1500000101', '2026-11-20T09:00:00Z', texts);
  const params = { id: app.id };
  const save = (text: string, locale: string) =>
    api.ok('PUT /apps/{id}/keyword-field', { params, body: { text, locale } }, ann);
  await save('planner,old', 'en-US');
  await save('diary,streak', 'en-US');
  expect(await app.list()).toEqual({
    'habit tracker us': ['habit: title', 'tracker: title'],
    'mood diary us': ['mood: subtitle', 'diary: keywordField'],
    // Nobody finds an iOS app by its description, and "planner" is in no current field.
    'calm planner us': ['calm: null', 'planner: null'],
    'habit tracker de': null,
    'mood diary de': null,
    'calm planner de': null,
  });
  expect((await app.list('latest'))['habit tracker us']).toBe(undefined);
});

test('words follow the newest reading of the country', async () => {
  const app = await trackApp('ios', '1500000102', ['habit tracker']);
  await readAt(api, '1500000102', '2026-11-20T09:00:00Z', texts, 'de', 'de');
  await readAt(api, '1500000102', '2026-11-21T09:00:00Z', { ...texts, name: 'Lumen' }, 'de', 'de');
  expect(await app.list()).toEqual({
    'habit tracker us': null,
    'habit tracker de': ['habit: subtitle', 'tracker: null'],
  });
});

test('suggestions and gaps have the words of their phrases', async () => {
  const app = await trackApp('ios', '1500000103', ['habit app']);
  await readAt(api, '1500000103', '2026-11-20T09:00:00Z', texts);
  const { items } = await api.ok(
    'GET /apps/{id}/keyword-suggestions',
    { params: { id: app.id }, query: { source: 'listing', country: 'us' } },
    ann,
  );
  expect(items.find(({ phrase }) => phrase === 'habit tracker')?.words).toEqual([
    { word: 'habit', field: 'title' },
    { word: 'tracker', field: 'title' },
  ]);
});
