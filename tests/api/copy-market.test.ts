import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const seen = ['sessions', 'tokens'];
const copy = (who: Credential, id: number, body: object) =>
  api.call('POST /apps/{id}/keywords/copy-market', { params: { id }, body: body as never }, who);
const add = async (me: Account, id: number, keywords: object[]) =>
  (await api.ok('POST /apps/{id}/keywords', { params: { id }, body: { keywords } as never }, me))
    .added;

it('a copy tracks the same with depth and tags, and returns the cost', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const [alpha, , paused] = await add(me, app.id, [
    { phrase: 'alpha', country: 'us', depth: 50, tags: ['core'] },
    { phrase: 'bravo', country: 'us' },
    { phrase: 'paused', country: 'us' },
    { phrase: 'bravo', country: 'fr' },
    { phrase: 'elsewhere', country: 'gb' },
  ]);
  await api.ok(
    'PATCH /keywords/{keywordId}',
    { params: { keywordId: paused!.id }, body: { paused: true } },
    me,
  );
  const response = await copy(me, app.id, { fromCountry: 'us', toCountries: ['de', 'fr', 'de'] });
  expect(response.status).toBe(201);
  const name = (keyword: { phrase: string; country: string; depth: number; tags: string[] }) =>
    `${keyword.phrase} ${keyword.country} ${keyword.depth} ${keyword.tags.join()}`;
  expect(response.body.added.map(name)).toEqual([
    'alpha de 50 core',
    'bravo de 200 ',
    'alpha fr 50 core',
  ]);
  expect(response.body.existing.map(name)).toEqual(['bravo fr 200 ']);
  expect(response.body.budgetDelta).toMatchObject({ searchesPerDay: 3 });
  expect(response.body.job).toMatchObject({ kind: 'first-check', state: 'queued' });
  const tagged = await copy(me, app.id, {
    fromCountry: 'us',
    toCountries: ['jp'],
    onlyTag: 'core',
  });
  expect(tagged.body.added.map(name)).toEqual(['alpha jp 50 core']);
  expect(
    (await copy(me, app.id, { fromCountry: 'us', toCountries: ['us'], onlyTag: 'core' })).body,
  ).toMatchObject({
    added: [],
    existing: [{ id: alpha!.id }],
    job: null,
  });
});

it('a copy keeps the device of each keyword, also where another device is tracked', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await add(me, app.id, [
    { phrase: 'alpha', country: 'us' },
    { phrase: 'alpha', country: 'us', device: 'ipad' },
    { phrase: 'bravo', country: 'us', device: 'mac' },
    { phrase: 'bravo', country: 'de' },
  ]);
  const response = await copy(me, app.id, { fromCountry: 'us', toCountries: ['de'] });
  const name = (keyword: { phrase: string; country: string; device: string }) =>
    `${keyword.phrase} ${keyword.country} ${keyword.device}`;
  expect(response.body.added.map(name)).toEqual([
    'alpha de iphone',
    'alpha de ipad',
    'bravo de mac',
  ]);
  expect(response.body.budgetDelta).toMatchObject({ searchesPerDay: 3 });
});

it('a copy of exactly 200 rows is accepted, and one more is refused', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const countries = ['de', 'fr', 'jp', 'gb', 'it', 'es', 'nl', 'se', 'no', 'dk'];
  const phrases = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ phrase: `phrase ${index}`, country: 'us' }));
  await add(me, app.id, phrases(20));
  expect(
    (await copy(me, app.id, { fromCountry: 'us', toCountries: countries })).body.added,
  ).toHaveLength(200);
  await add(me, app.id, phrases(21).slice(20));
  const before = await describeTables(api, seen);
  const over = await copy(me, app.id, { fromCountry: 'us', toCountries: countries });
  expect([over.status, over.body.code, over.body.issues]).toEqual([
    400,
    'too_many_keywords',
    [
      {
        path: 'toCountries',
        code: 'too_large',
        message: 'keywords × countries in a request',
        limit: 200,
        actual: 210,
      },
    ],
  ]);
  expect(await describeTables(api, seen)).toEqual(before);
});

it('an invalid copy is refused and writes nothing', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const app = await insertApp(api, me);
  await add(me, app.id, [{ phrase: 'alpha', country: 'us' }]);
  const reader = await api.token(me, { readOnly: true });
  const before = await describeTables(api, seen);
  const refusals: [object, string][] = [
    [{ fromCountry: 'US', toCountries: ['de'] }, 'invalid_country'],
    [{ fromCountry: 'us', toCountries: ['de', 'D'] }, 'invalid_country'],
    [{ fromCountry: 'us', toCountries: [] }, 'invalid_request'],
    [
      {
        fromCountry: 'us',
        toCountries: Array.from({ length: 11 }, (_, index) => `a${'abcdefghijk'[index]}`),
      },
      'invalid_request',
    ],
    [{ fromCountry: 'us', toCountries: ['de'], onlyTag: 'a\0' }, 'invalid_request'],
    [{ fromCountry: 'us', toCountries: ['de'], onlyTag: 'nobody has it' }, 'invalid_request'],
    [{ fromCountry: 'fr', toCountries: ['de'] }, 'invalid_request'],
    [{ fromCountry: 'us' }, 'invalid_request'],
    [{ fromCountry: 'us', toCountries: ['de'], depth: 5 }, 'invalid_request'],
  ];
  for (const [body, code] of refusals) {
    const response = await copy(me, app.id, body);
    expect([response.status, response.body.code], JSON.stringify(body)).toEqual([400, code]);
  }
  const good = { fromCountry: 'us', toCountries: ['de'] };
  expect((await copy(you, app.id, good)).body.code).toBe('not_found');
  expect((await copy(reader, app.id, good)).body.code).toBe('read_only_token');
  expect(await describeTables(api, seen)).toEqual(before);
});

it('a copy beyond the plan’s quota is refused', async () => {
  const billed = await startApi({ settings: { billingEnabled: true } });
  const me = await billed.signUp();
  const app = await insertApp(billed, me);
  for (let batch = 0; batch < 5; batch += 1) {
    const phrases = Array.from({ length: 199 }, (_, index) => `batch ${batch} ${index}`);
    await billed.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { phrases, countries: ['us'] } },
      me,
    );
  }
  await billed.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases: ['a', 'b', 'c'], countries: ['fr'] } },
    me,
  );
  const before = await describeTables(billed, seen);
  const response = await billed.call(
    'POST /apps/{id}/keywords/copy-market',
    { params: { id: app.id }, body: { fromCountry: 'fr', toCountries: ['de'] } },
    me,
  );
  expect([response.status, response.body.code, response.body.quota]).toEqual([
    403,
    'quota_keyword_markets',
    {
      kind: 'keywordMarkets',
      limit: 1_000,
      used: 998,
      requested: 3,
      plan: 'indie',
      upgradeTo: 'ultimate',
    },
  ]);
  expect(await describeTables(billed, seen)).toEqual(before);
  await billed.close();
});
