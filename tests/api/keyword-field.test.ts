import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { TestClock } from '#lib/clock.ts';
import { seedHistory, readerOf } from '../harness/history.ts';
import { listFieldHistory } from '#domain/insights/keyword-field/list-field-history.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import {
  recordMarketSearch,
  describeTables,
  endFirstChecks,
  insertApp,
  marketIdOf,
  readWithOtherProvider,
} from './keywords.fixtures.ts';

keepOrder('the tests of the history begin with the keywords that they count');

let api: TestApi;
const clock = new TestClock('2026-11-21T12:00:00Z');
beforeAll(async () => {
  api = await startApi({ clock });
});
afterAll(() => api.close());

const seen = ['sessions', 'tokens'];
const put = (me: Account, id: number, text: string, locale?: string) =>
  api.call(
    'PUT /apps/{id}/keyword-field',
    { params: { id }, body: { text, ...(locale ? { locale } : {}) } },
    me,
  );
const read = (me: Account, id: number, locale?: string) =>
  api.ok('GET /apps/{id}/keyword-field', { params: { id }, query: locale ? { locale } : {} }, me);
const history = (me: Account, id: number, query: object = {}) =>
  api.ok('GET /apps/{id}/keyword-field/history', { params: { id }, query }, me);

async function insertSnapshot(listingId: number, fields: object, country = 'us'): Promise<void> {
  await api.db.pool.query(
    'insert into snapshots (listing_id, country, taken_at, content_hash, fields) values ($1, ' +
      '$2, $3, $4, $5)',
    [listingId, country, clock.now(), Buffer.alloc(32), JSON.stringify(fields)],
  );
}

describe('saving a keyword field', () => {
  it('stores the text as sent with the characters that the store counts', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    expect(await read(me, app.id)).toEqual({
      locale: 'default',
      text: '',
      normalized: '',
      length: 0,
      limit: 100,
      updatedAt: null,
    });
    const text = ' Photo ,photo,\nCollage  Maker，写真 ';
    const saved = await put(me, app.id, text);
    expect(saved.status).toBe(200);
    const { analysis, ...record } = saved.body;
    expect(record).toEqual({
      locale: 'default',
      text,
      normalized: 'photo,collage maker,写真',
      length: 22,
      limit: 100,
      updatedAt: '2026-11-21T12:00:00.000Z',
    });
    expect(analysis).toMatchObject({
      country: 'us',
      normalized: record.normalized,
      used: 22,
      free: 78,
    });
    expect(await read(me, app.id)).toEqual(record);
    expect(await read(me, app.id, 'ja')).toMatchObject({ locale: 'ja', text: '', updatedAt: null });
    await put(me, app.id, '写真', 'ja');
    expect([
      (await read(me, app.id)).normalized,
      (await read(me, app.id, 'ja')).normalized,
    ]).toEqual([record.normalized, '写真']);
    await put(me, app.id, '');
    expect(await read(me, app.id)).toMatchObject({ text: '', length: 0 });
  });

  it.each([
    ['1,000 characters as sent', `a${','.repeat(999)}`, 'a'],
    ['1,000 emoji and commas', '😀,'.repeat(500), '😀'],
    [
      '100 characters when normalized',
      `${'a'.repeat(50)} , ${'b'.repeat(49)}`,
      `${'a'.repeat(50)},${'b'.repeat(49)}`,
    ],
    ['a phrase of 100 characters', '𠮷'.repeat(100), '𠮷'.repeat(100)],
    ['a phrase of 5 words', 'a b c d e', 'a b c d e'],
  ])('accepts exactly %s', async (_name, text, normalized) => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    expect((await put(me, app.id, text)).body.normalized).toBe(normalized);
  });

  it.each([
    ['1,001 characters as sent', `a${','.repeat(1_000)}`, 'keyword_field_too_long'],
    ['1,001 emoji', '😀'.repeat(1_001), 'keyword_field_too_long'],
    [
      '101 characters when normalized',
      `${'a'.repeat(50)},${'b'.repeat(50)}`,
      'keyword_field_normalized_too_long',
    ],
    ['a phrase of 101 characters', 'a'.repeat(101), 'phrase_too_long'],
    ['a phrase of 6 words', 'fine,a b c d e f', 'too_many_words'],
    ['a control character', 'a\u0007b', 'invalid_request'],
    ['a NUL', 'a\0b', 'invalid_request'],
    ['half a surrogate pair', 'x\ud83d', 'invalid_request'],
  ])('refuses %s with 400 and writes nothing', async (_name, text, code) => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await put(me, app.id, 'standing');
    const before = await describeTables(api, seen);
    // A draft that only the store would refuse is analysed, to show what to remove.
    const isDraft = code === 'keyword_field_normalized_too_long';
    const preview = 'POST /apps/{id}/keyword-field/preview';
    if (isDraft)
      expect((await api.ok(preview, { params: { id: app.id }, body: { text } }, me)).free).toBe(0);
    for (const key of [
      'PUT /apps/{id}/keyword-field' as const,
      ...(isDraft ? [] : [preview as 'POST /apps/{id}/keyword-field/preview']),
    ]) {
      const response = await api.call(key, { params: { id: app.id }, body: { text } }, me);
      expect([response.status, response.body.code]).toEqual([400, code]);
      expect(response.body.issues.length).toBeGreaterThan(0);
    }
    expect(await describeTables(api, seen)).toEqual(before);
    expect((await read(me, app.id)).text).toBe('standing');
  });

  it('refuses other bodies, Android and archived apps, others and read-only tokens', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const app = await insertApp(api, me);
    const android = await insertApp(api, me, { store: 'android', storeAppId: 'com.field' });
    const archived = await insertApp(api, me);
    await api.ok('DELETE /apps/{id}', { params: { id: archived.id } }, me);
    const reader = await api.token(me, { readOnly: true });
    const before = await describeTables(api, seen);
    for (const body of [
      {},
      { text: null },
      { text: 5 },
      { text: 'a', more: 1 },
      { text: 'a', locale: '../x' },
      { text: 'a', locale: 'a'.repeat(36) },
    ]) {
      const response = await api.call(
        'PUT /apps/{id}/keyword-field',
        { params: { id: app.id }, body: body as never },
        me,
      );
      expect([response.status, response.body.code], JSON.stringify(body)).toEqual([
        400,
        'invalid_request',
      ]);
    }
    expect((await put(you, app.id, 'mine')).status).toBe(404);
    expect((await put(me, archived.id, 'late')).body.code).toBe('invalid_request');
    expect(
      (
        await api.call(
          'PUT /apps/{id}/keyword-field',
          { params: { id: app.id }, body: { text: 'x' } },
          reader,
        )
      ).body.code,
    ).toBe('read_only_token');
    const onAndroid = [
      await put(me, android.id, 'words'),
      await api.call('GET /apps/{id}/keyword-field', { params: { id: android.id }, query: {} }, me),
      await api.call(
        'GET /apps/{id}/keyword-field/analysis',
        { params: { id: android.id }, query: {} },
        me,
      ),
      await api.call(
        'GET /apps/{id}/keyword-field/history',
        { params: { id: android.id }, query: {} },
        me,
      ),
      await api.call(
        'POST /apps/{id}/keyword-field/preview',
        { params: { id: android.id }, body: { text: 'x' } },
        me,
      ),
    ];
    for (const response of onAndroid) {
      expect([response.status, response.body.issues[0]]).toEqual([
        400,
        {
          path: 'params.id',
          code: 'invalid',
          message: 'an app of a store with keyword fields; Android has none',
          limit: null,
          actual: 'android',
        },
      ]);
    }
    expect(await describeTables(api, seen)).toEqual(before);
    expect(
      (
        await api.call(
          'POST /apps/{id}/keyword-field/preview',
          { params: { id: app.id }, body: { text: 'x' } },
          reader,
        )
      ).status,
    ).toBe(200);
  });

  it('stores concurrent texts as separate whole versions, each once', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const texts = Array.from({ length: 12 }, (_, index) => `alpha${index},bravo${index}`);
    const responses = await Promise.all(texts.map((text) => put(me, app.id, text)));
    expect(responses.map((response) => response.body.text)).toEqual(texts);
    const { items, total } = await history(me, app.id);
    expect([items.map((item) => item.text).toSorted(), total]).toEqual([texts.toSorted(), 12]);
    expect(items[0]!.text).toBe((await read(me, app.id)).text);
    await Promise.all(Array.from({ length: 8 }, () => put(me, app.id, 'the same')));
    expect((await history(me, app.id)).total).toBe(13);
  });
});

describe('the analysis of a keyword field', () => {
  it('compares the field with the listing, the keywords and their positions', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await insertSnapshot(app.listingId, {
      name: 'Lumen: Habit Tracker',
      developer: 'Lumen Labs',
      subtitle: 'Daily goals',
      summary: null,
      description: 'Streaks.',
    });
    const { added } = await api.ok(
      'POST /apps/{id}/keywords',
      {
        params: { id: app.id },
        body: { phrases: ['habit routine', 'mood journal', 'sleep'], countries: ['us', 'de'] },
      },
      me,
    );
    const idOf = (phrase: string) =>
      added.find((keyword) => keyword.phrase === phrase && keyword.country === 'us')!.id;
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 'habit routine'),
      listingIds: [app.listingId + 90_000, app.listingId],
    });
    const before = await describeTables(api, seen);
    const preview = await api.ok(
      'POST /apps/{id}/keyword-field/preview',
      { params: { id: app.id }, body: { text: 'routine,goal,habit,mood' } },
      me,
    );
    expect(await describeTables(api, seen)).toEqual(before);
    const analysis = preview;
    expect(analysis.comparedWith).toMatchObject({
      name: 'Lumen: Habit Tracker',
      subtitle: 'Daily goals',
      country: 'us',
    });
    expect(analysis.tokens).toMatchObject([
      {
        term: 'routine',
        inTitle: false,
        plural: false,
        trackedKeywordIds: [idOf('habit routine')],
        bestPosition: 2,
        traffic: null,
      },
      {
        term: 'goal',
        inSubtitle: false,
        plural: true,
        trackedKeywordIds: [],
        bestPosition: null,
      },
      {
        term: 'habit',
        inTitle: true,
        trackedKeywordIds: [idOf('habit routine')],
        bestPosition: 2,
      },
      { term: 'mood', trackedKeywordIds: [idOf('mood journal')], bestPosition: null },
    ]);
    expect([analysis.used, analysis.free, analysis.wastedCharacters]).toEqual([23, 77, 11]);
    expect(analysis.combinations).toMatchObject({
      covered: 1,
      total: 3,
      tracked: [
        { phrase: 'habit routine', covered: true, missing: [] },
        { phrase: 'mood journal', covered: false, missing: ['journal'] },
        { phrase: 'sleep', covered: false, missing: ['sleep'] },
      ],
    });
    expect(analysis.suggestions.slice(0, 2)).toEqual([
      { term: 'journal', characters: 8, source: 'tracked', keywordIds: [idOf('mood journal')] },
      { term: 'sleep', characters: 6, source: 'tracked', keywordIds: [idOf('sleep')] },
    ]);
    await put(me, app.id, 'routine,goal,habit,mood');
    expect(
      await api.ok(
        'GET /apps/{id}/keyword-field/analysis',
        { params: { id: app.id }, query: {} },
        me,
      ),
    ).toEqual(analysis);
    const german = await api.ok(
      'GET /apps/{id}/keyword-field/analysis',
      { params: { id: app.id }, query: { country: 'de' } },
      me,
    );
    expect(german).toMatchObject({
      country: 'de',
      comparedWith: { takenAt: null, subtitle: null },
    });
    expect(german.tokens[0]).toMatchObject({ bestPosition: null });
  });

  it('shows scores of tracked markets only, and none from before tracking', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { phrases: ['scored', 'older'], countries: ['us'] } },
      me,
    );
    const score = async (phrase: string, day: string) =>
      api.db.pool.query(
        `with s as (insert into scores (market_id, scored_at, observed_on, traffic, difficulty,
           formula)
           values ($1, $2::date + time '13:00', $2, 64, 31, 'test@1') returning *)
         insert into market_scores (market_id, score_id, scored_at, observed_on, traffic,
           difficulty, confidence)
           select market_id, id, scored_at, observed_on, traffic, difficulty, 'high' from s`,
        [await marketIdOf(api, phrase), day],
      );
    await score('scored', '2026-11-21');
    await score('older', '2026-11-20');
    await endFirstChecks(api, await marketIdOf(api, 'scored'), '2026-11-21');
    const { tokens } = await api.ok(
      'POST /apps/{id}/keyword-field/preview',
      { params: { id: app.id }, body: { text: 'scored,older' } },
      me,
    );
    expect(tokens.map((token) => [token.traffic, token.difficulty])).toEqual([
      [64, 31],
      [null, null],
    ]);
  });
});

describe('the history of a keyword field', () => {
  it('lists the changes of each version, newest first, in pages', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    for (const text of ['one,two', 'two,three', 'three,two', 'two']) await put(me, app.id, text);
    await put(me, app.id, 'eins', 'de-DE');
    const all = await history(me, app.id);
    expect(
      all.items.map((item) => [item.locale, item.normalized, item.added, item.removed]),
    ).toEqual([
      ['de-DE', 'eins', ['eins'], []],
      ['default', 'two', [], ['three']],
      ['default', 'three,two', [], []],
      ['default', 'two,three', ['three'], ['one']],
      ['default', 'one,two', ['one', 'two'], []],
    ]);
    const first = await history(me, app.id, { limit: 2, locale: 'default' });
    const second = await history(me, app.id, {
      limit: 2,
      locale: 'default',
      cursor: first.nextCursor,
    });
    expect([...first.items, ...second.items].map((item) => item.id)).toEqual(
      all.items.slice(1).map((item) => item.id),
    );
    expect([second.nextCursor, second.total]).toEqual([null, 4]);
    expect(second.items.at(-1)!.added).toEqual(['one', 'two']);
    for (const query of [{ cursor: first.nextCursor }, { cursor: 'bm90aGluZw' }]) {
      const refused = await api.call(
        'GET /apps/{id}/keyword-field/history',
        { params: { id: app.id }, query: query as never },
        me,
      );
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor']);
    }
    const stranger = await api.signUp();
    expect(
      (
        await api.call(
          'GET /apps/{id}/keyword-field/history',
          { params: { id: app.id }, query: {} },
          stranger,
        )
      ).status,
    ).toBe(404);
  });

  it('averages positions of affected keywords 14 days before and after', async () => {
    const past = await seedHistory(api.db.pool, {
      apps: 1,
      markets: 12,
      days: 40,
      lastDay: '2026-11-21',
      gapShare: 0.2,
    });
    const savedOn = '2026-11-10';
    const affected = past.keywords.filter((keyword) => [1, 2].includes(keyword.number));
    await api.db.pool.query(
      'insert into keyword_fields (workspace_id, app_id, locale, text, normalized, saved_at) ' +
        `values ($1, $2, 'default', '1,2', '1,2', $3)`,
      [past.workspaceId, past.appIds[0], `${savedOn}T09:00:00Z`],
    );
    const reader = readerOf(api.db, past.workspaceId, '2026-11-21T12:00:00Z');
    const read = () => listFieldHistory(reader, past.appIds[0]!, { limit: 5 });
    const { items } = await read();
    expect(items[0]!.affectedKeywordIds).toEqual(affected.map((keyword) => keyword.id));
    const sideOf = (from: string, to: string) => {
      const days = past.days.filter((day) => day >= from && day <= to);
      const truths = affected.flatMap((keyword) =>
        days.map((day) => past.groundTruthOf(keyword, day)),
      );
      const positions = truths.flatMap((truth) => truth?.position ?? []);
      const average =
        positions.length === 0
          ? null
          : Math.round((positions.reduce((sum, at) => sum + at, 0) / positions.length) * 100) / 100;
      return {
        from,
        to,
        averagePosition: average,
        ranked: positions.length,
        checked: truths.filter(Boolean).length,
        followed: truths.length,
      };
    };
    expect(items[0]!.before).toEqual(sideOf(addDays(savedOn, -14), addDays(savedOn, -1)));
    expect(items[0]!.after).toEqual(sideOf(addDays(savedOn, 1), '2026-11-21'));
    expect(items[0]!.before.ranked).toBeGreaterThan(0);
    expect(items[0]!.before.checked).toBeLessThan(items[0]!.before.followed);
    const changed = await readWithOtherProvider(api, addDays(savedOn, 1), read);
    expect(changed.items[0]!.before).toEqual({
      ...items[0]!.before,
      averagePosition: null,
      ranked: 0,
    });
    expect(changed.items[0]!.after).toEqual(items[0]!.after);
  });

  it('has no “after” on the day of the save', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await put(me, app.id, 'fresh');
    expect((await history(me, app.id)).items[0]!.after).toBeNull();
  });
});
