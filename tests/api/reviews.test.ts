import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReviewRow } from '#db/queries/reviews/reviews.ts';
import { countOnce, matchesReview } from '#domain/tracking/reviews/imported-reviews.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { describeTables } from './keywords.fixtures.ts';
import { insertTrackedApp, insertReviews, type ReviewedApp } from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;
let app: ReviewedApp;
let ids: number[];

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  app = await insertTrackedApp(api, ann, { countries: ['de'] });
  ids = await insertReviews(api, app, [
    {
      reviewedAt: '2026-11-20T10:00:00Z',
      rating: 1,
      title: 'Crash',
      body: 'It CRASHES 100%_always',
      version: '2.1',
      reply: 'Sorry',
    },
    {
      reviewedAt: '2026-11-19T10:00:00Z',
      rating: 5,
      title: null,
      body: 'Größe passt',
      version: '2.0',
      country: 'de',
      language: 'de',
    },
    {
      reviewedAt: '2026-11-19T10:00:00Z',
      rating: 2,
      title: 'Ads',
      body: 'too many',
      version: '2.0',
    },
    {
      reviewedAt: '2026-11-18T23:59:59Z',
      rating: 1,
      title: 'No',
      body: 'no: İzmir ΟΔΟΣ, l’app\n doesn‘t ＯＫ',
      version: null,
    },
    {
      reviewedAt: null,
      rating: 3,
      title: 'Undated',
      body: 'when',
      firstSeenAt: '2026-11-17T05:00:00Z',
    },
    { reviewedAt: '2026-10-01T10:00:00Z', rating: 4, body: 'long ago' },
  ]);
});
afterAll(() => api.close());

const list = (query: Record<string, unknown> = {}) =>
  api.ok('GET /apps/{id}/reviews', { params: { id: app.id }, query: query }, ann);
const found = async (query: Record<string, unknown>) =>
  (await list(query)).items.map((item) => ids.indexOf(item.id));

describe('listing reviews', () => {
  test('returns the last 30 days, newest first, with all fields', async () => {
    const { items, total, nextCursor } = await list();
    expect(items.map((item) => ids.indexOf(item.id))).toEqual([0, 2, 1, 3, 4]);
    expect([total, nextCursor]).toEqual([5, null]);
    expect(items[0]).toEqual({
      id: ids[0],
      appId: app.id,
      storeReviewId: expect.stringMatching(/^review-/),
      author: 'Ana',
      rating: 1,
      title: 'Crash',
      body: 'It CRASHES 100%_always',
      version: '2.1',
      country: 'us',
      language: 'en',
      reviewedAt: '2026-11-20T10:00:00.000Z',
      firstSeenAt: '2026-11-21T12:00:00.000Z',
      editedAt: null,
      reply: { text: 'Sorry', at: null },
      tags: [],
      note: null,
      read: false,
      etag: expect.any(String),
    });
    expect(items[4]).toMatchObject({ reviewedAt: null, firstSeenAt: '2026-11-17T05:00:00.000Z' });
  });

  test.each([
    [{ rating: '1,2' }, [0, 2, 3]],
    [{ rating: '5' }, [1]],
    [{ country: 'de' }, [1]],
    [{ country: 'fr' }, []],
    [{ version: '2.0' }, [2, 1]],
    [{ language: 'de' }, [1]],
    [{ q: 'crashes' }, [0]],
    [{ q: 'Gro\u0308ße' }, [1]],
    [{ q: 'größe' }, [1]],
    [{ q: 'GRÖßE' }, [1]],
    [{ q: 'izmir' }, [3]],
    [{ q: 'İZMİR' }, [3]],
    [{ q: 'οδος' }, [3]],
    [{ q: 'ΟΔΟΣ' }, [3]],
    [{ q: "L'APP DOESN'T" }, [3]],
    [{ q: 'l’app  doesn’t' }, [3]],
    [{ q: 'ok' }, [3]],
    [{ q: 'ـ' }, []],
    [{ q: '100%_' }, [0]],
    [{ q: '%' }, [0]],
    [{ q: "'; drop table reviews; --" }, []],
    [{ hasReply: 'true' }, [0]],
    [{ hasReply: 'false', country: 'us' }, [2, 3, 4]],
    [{ from: '2026-11-19', to: '2026-11-19' }, [2, 1]],
    [{ from: '2026-11-18', to: '2026-11-18' }, [3]],
    [{ from: '2026-09-25' }, [0, 2, 1, 3, 4, 5]],
    [{ sort: 'lowest' }, [0, 3, 2, 4, 1]],
    [{ sort: 'lowest', country: 'us', rating: '1,3' }, [0, 3, 4]],
  ])('%j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
    expect((await list(query)).total).toBe(expected.length);
  });

  test.each(['izmir', 'İZMİR', 'οδος', 'ΟΔΟΣ', 'größe', "l'app doesn't", 'ok', 'GRÖSSE', 'ـ'])(
    'finds %s in imported reviews as in others',
    (text) => {
      const filter = { listingId: 1, feeds: [{ country: 'us' }] as never, text };
      const body = 'ΟΔΟΣ Größe l’app\n doesn‘t ＯＫ';
      const review = { title: 'İzmir', body, country: 'us' } as ReviewRow;
      expect(matchesReview(review, filter)).toBe(!['GRÖSSE', 'ـ'].includes(text));
    },
  );

  test('counts an imported review of several countries in one that is followed', () => {
    const feeds = ['gb', 'us'].map((country) => ({ country, isShared: true })) as never;
    const copies = ['us', 'gb', 'fr'].map(
      (country, index) => ({ id: 3 - index, storeReviewId: 'shared', country }) as ReviewRow,
    );
    expect(countOnce(copies, feeds).map(({ country }) => country)).toEqual(['gb']);
  });

  test.each(['newest', 'lowest'] as const)(
    'in pages of one, %s first, returns each review once',
    async (sort) => {
      const whole = await found({ sort });
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page = await list({ sort, limit: 1, ...(cursor === null ? {} : { cursor }) });
        seen.push(...page.items.map((item) => ids.indexOf(item.id)));
        expect(page.total).toBe(5);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(whole);
    },
  );

  test('refuses malformed requests', async () => {
    const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const own = (await list({ limit: 1 })).nextCursor!;
    const refused: [string, string][] = [
      ['?rating=0', 'invalid_request'],
      ['?rating=1,6', 'invalid_request'],
      ['?rating=', 'invalid_request'],
      ['?country=US', 'invalid_country'],
      ['?language=english', 'invalid_request'],
      ['?hasReply=1', 'invalid_request'],
      ['?sort=best', 'invalid_request'],
      ['?stars=1', 'invalid_request'],
      ['?from=2026-11-20&to=2026-11-19', 'invalid_request'],
      ['?from=2010-01-01&to=2026-11-19', 'invalid_request'],
      ['?q=%00', 'invalid_request'],
      ['?version=%00', 'invalid_request'],
      ['?tag=%00', 'invalid_request'],
      [`?q=${'x'.repeat(101)}`, 'invalid_request'],
      ['?limit=0', 'invalid_request'],
      ['?limit=501', 'invalid_request'],
      ['?cursor=abc', 'invalid_cursor'],
      [`?sort=lowest&cursor=${own}`, 'invalid_cursor'],
      [`?cursor=${cursorOf([`reviews ${app.id} newest`, 9, 0, 1])}`, 'invalid_cursor'],
      [`?cursor=${cursorOf([`reviews ${app.id} newest`, 1, 1e300, 1])}`, 'invalid_cursor'],
      [`?cursor=${cursorOf([`reviews ${app.id} newest`, 1, 0, 2 ** 53])}`, 'invalid_cursor'],
      [`?cursor=${cursorOf([`reviews ${app.id} newest`, 'a', null, {}])}`, 'invalid_cursor'],
    ];
    for (const [query, code] of refused) {
      const response = await api.raw(`/apps/${app.id}/reviews${query}`, {}, ann);
      expect([query, response.status, response.body.code]).toEqual([query, 400, code]);
    }
  });
});

describe('review marks', () => {
  const patch = (body: object, reviewId = ids[2]!, by: Parameters<TestApi['call']>[2] = ann) =>
    api.call('PATCH /reviews/{reviewId}', { params: { reviewId }, body: body }, by);

  test('are set one by one, filtered by, and removed', async () => {
    expect(
      (await patch({ tags: ['ads', 'money', 'ads'], note: 'ask pricing' })).body,
    ).toMatchObject({
      tags: ['ads', 'money'],
      note: 'ask pricing',
      read: false,
    });
    expect((await patch({ read: true })).body).toMatchObject({
      tags: ['ads', 'money'],
      note: 'ask pricing',
      read: true,
    });
    expect(await found({ tag: 'ads' })).toEqual([2]);
    expect(await found({ unread: 'true' })).toEqual([0, 1, 3, 4]);
    expect(await found({ unread: 'false' })).toEqual([2]);
    expect((await patch({})).body).toMatchObject({ tags: ['ads', 'money'], read: true });
    expect((await patch({ tags: [], note: null, read: false })).body).toMatchObject({
      tags: [],
      note: null,
      read: false,
    });
    expect(await found({ unread: 'false' })).toEqual([]);
  });

  test('that are refused are not written', async () => {
    const reader = await api.token(ann, { readOnly: true });
    await api.ok('GET /workspace', null, reader);
    const before = await describeTables(api, ['tokens']);
    for (const body of [
      { tags: ['x'.repeat(41)] },
      { tags: [''] },
      { tags: ['a\0'] },
      { note: 'a\0' },
      { note: 'x'.repeat(2_001) },
      { read: null },
      { reply: 'hi' },
    ]) {
      expect([body, (await patch(body)).status]).toEqual([body, 400]);
    }
    expect((await patch({ read: true }, ids[0], reader)).body.code).toBe('read_only_token');
    expect((await patch({ read: true }, 2_147_483_647)).status).toBe(404);
    expect(await describeTables(api, ['tokens'])).toEqual(before);
    expect(
      (await api.call('GET /reviews/{reviewId}', { params: { reviewId: ids[0]! } }, reader)).status,
    ).toBe(200);
  });

  test('are invisible to other workspaces that track the app', async () => {
    const shared = await insertTrackedApp(api, ann, { storeAppId: '77001' });
    const ben = await api.signUp();
    const same = await insertTrackedApp(api, ben, { storeAppId: '77001' });
    const [id] = await insertReviews(api, shared, [{}]);
    await patch({ tags: ['secret'], note: 'secret', read: true }, id);
    const theirs = await api.ok('GET /reviews/{reviewId}', { params: { reviewId: id! } }, ben);
    expect(theirs).toMatchObject({ appId: same.id, tags: [], note: null, read: false });
    expect((await api.raw(`/apps/${same.id}/reviews?tag=secret`, {}, ben)).body.items).toEqual([]);
    await api.ok(
      'DELETE /apps/{id}',
      { params: { id: shared.id }, query: { purge: 'true' } as never },
      ann,
    );
    expect(
      (await api.db.pool.query('select from review_marks where app_id = $1', [shared.id])).rows,
    ).toEqual([]);
  });
});

describe('one review', () => {
  test('is returned with its earlier texts, oldest first', async () => {
    const [id] = await insertReviews(api, app, [
      {
        reviewedAt: '2026-08-01T00:00:00Z',
        rating: 2,
        body: 'now',
        editedAt: '2026-11-10T00:00:00Z',
        firstSeenAt: '2026-11-01T00:00:00Z',
      },
    ]);
    const keep = (seen: string, replaced: string, body: string) =>
      api.db.pool.query(
        'insert into review_versions (review_id, seen_at, replaced_at, reviewed_at, rating, ' +
          `title, body) values ($1, $2, $3, $2, 5, 'T', $4)`,
        [id, seen, replaced, body],
      );
    await keep('2026-11-01T00:00:00Z', '2026-11-05T00:00:00Z', 'first');
    await keep('2026-11-05T00:00:00Z', '2026-11-10T00:00:00Z', 'second');
    const review = await api.ok('GET /reviews/{reviewId}', { params: { reviewId: id! } }, ann);
    expect(review).toMatchObject({ body: 'now', editedAt: '2026-11-10T00:00:00.000Z' });
    expect(review.history).toEqual([
      expect.objectContaining({
        body: 'first',
        rating: 5,
        replacedAt: '2026-11-05T00:00:00.000Z',
        firstSeenAt: '2026-11-01T00:00:00.000Z',
      }),
      expect.objectContaining({ body: 'second', replacedAt: '2026-11-10T00:00:00.000Z' }),
    ]);
  });

  test('of an app or country not tracked gets the usual 404', async () => {
    const ben = await api.signUp();
    const other = await insertTrackedApp(api, ben);
    const [theirs] = await insertReviews(api, other, [{}]);
    const [foreign] = await insertReviews(api, app, [{ country: 'fr' }]);
    for (const method of ['GET', 'PATCH'] as const) {
      const ask = (id: number) =>
        api.raw(
          `/reviews/${id}`,
          {
            method,
            ...(method === 'PATCH'
              ? { body: '{"read":true}', headers: { 'content-type': 'application/json' } }
              : {}),
          },
          ann,
        );
      for (const id of [theirs!, foreign!, 2_147_483_647]) {
        const { status, body } = await ask(id);
        expect([status, body.code, body.message]).toEqual([
          404,
          'not_found',
          'The resource does not exist.',
        ]);
      }
    }
    for (const path of ['reviews', 'reviews/stats', 'reviews/topics', 'ratings'])
      expect((await api.raw(`/apps/${other.id}/${path}`, {}, ann)).status).toBe(404);
  });
});
