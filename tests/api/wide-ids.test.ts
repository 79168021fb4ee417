import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseExact } from '#lib/json.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertReviews, insertTrackedApp, type ReviewedApp } from './reviews.fixtures.ts';

let api: TestApi;
let ann: Account;
let app: ReviewedApp;

/** The largest ids that reviews of an instance have. */
const last = 4_503_599_627_370_495;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
  app = await insertTrackedApp(api, ann);
  await api.db.pool.query(`alter table reviews alter column id restart with ${last - 2}`);
  await insertReviews(api, app, [{ body: 'one' }, { body: 'two' }, { body: 'three' }]);
});
afterAll(() => api.close());

test('ids beyond 32 bits are exact in lists, pages, paths and exports', async () => {
  const ids = [last, last - 1, last - 2];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.ok(
      'GET /apps/{id}/reviews',
      { params: { id: app.id }, query: { limit: 1, ...(cursor && { cursor }) } },
      ann,
    );
    pages.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual(ids);
  for (const id of ids) {
    const params = { reviewId: id };
    await api.ok('PATCH /reviews/{reviewId}', { params, body: { note: `note ${id}` } }, ann);
    const review = await api.ok('GET /reviews/{reviewId}', { params }, ann);
    expect([review.id, review.note]).toEqual([id, `note ${id}`]);
  }
  const { text } = await api.raw(`/apps/${app.id}/exports/reviews`, {}, ann);
  const { items } = parseExact(text) as { items: { id: unknown }[] };
  expect(items.map(({ id }) => Number(id))).toEqual(ids);
});

test('an id beyond 2^53 is refused, and no id is that of an imported fact', async () => {
  const refused = await api.raw('/reviews/9007199254740992', {}, ann);
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  await expect(insertReviews(api, app, [{ body: 'four' }])).rejects.toThrow(/maximum value/);
});
