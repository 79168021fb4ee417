import { afterAll, beforeAll, expect, it } from 'vitest';
import { scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import {
  follow,
  insertHintEvidence,
  insertSerp,
  tenApps,
  type TrackedFixture,
} from './scores.fixtures.ts';

let api: TestApi;
let me: Account;
let scored: TrackedFixture;
let unscored: TrackedFixture;

beforeAll(async () => {
  api = await startApi();
  me = await api.signUp();
  scored = await follow(api, me, 'scored');
  unscored = await follow(api, me, 'not scored', { appId: scored.appId });
  await insertSerp(
    api,
    scored.marketId,
    '2026-11-21',
    tenApps('scored', { named: 3, ratingCount: 900 }),
  );
  await insertHintEvidence(api, scored.marketId, '2026-11-21', [['scored', 4]]);
  await scoreStaleMarkets(api.services);
});
afterAll(() => api.close());

const list = async (include?: string, account = me, id = scored.appId) =>
  (
    await api.ok(
      'GET /apps/{id}/keywords',
      { params: { id }, query: { sort: 'createdAt', ...(include && { include }) } },
      account,
    )
  ).items;
const one = (keywordId: number, include: string) =>
  api.ok('GET /keywords/{keywordId}', { params: { keywordId }, query: { include } }, me);

it('a keyword includes its newest scores with their provenance, or null', async () => {
  const { items } = await api.ok(
    'GET /keywords/{keywordId}/scores',
    { params: { keywordId: scored.keywordId } },
    me,
  );
  expect(items).toHaveLength(1);
  const [first, second] = await list('scores');
  expect([first!.scores, second!.scores]).toEqual([items[0], null]);
  expect([first!.traffic, first!.difficulty]).toEqual([items[0]!.traffic, items[0]!.difficulty]);
  expect(first).not.toHaveProperty('spark');
  expect((await one(scored.keywordId, 'latest,scores')).scores).toEqual(items[0]);
  expect((await one(unscored.keywordId, 'scores,spark')).scores).toBeNull();
});

it('a keyword includes only what was requested, and is otherwise unchanged', async () => {
  for (const plain of await list()) expect(plain).not.toHaveProperty('scores');
  const bare = (items: Awaited<ReturnType<typeof list>>) =>
    items.map(({ scores: _, ...rest }) => rest);
  expect(bare(await list('scores,latest'))).toEqual(await list());
});

it('a keyword includes its newest stored results', async () => {
  const serp = await api.ok(
    'GET /keywords/{keywordId}/serp',
    { params: { keywordId: scored.keywordId } },
    me,
  );
  expect((await one(scored.keywordId, 'serp')).serp).toEqual(serp);
  expect((await one(unscored.keywordId, 'serp')).serp).toBeNull();
  expect(await one(scored.keywordId, 'latest')).not.toHaveProperty('serp');
});

it('a keyword hides scores from before the workspace tracked the market', async () => {
  api.clock.set('2026-11-23T12:00:00Z');
  const you = await api.signUp();
  const yours = await follow(api, you, 'scored');
  const [keyword] = await list('scores', you, yours.appId);
  expect([keyword!.scores, keyword!.traffic]).toEqual([null, null]);
});

it('an unknown value of include is refused', async () => {
  for (const include of ['score', 'serp', '', 'scores,,latest']) {
    const response = await api.call(
      'GET /apps/{id}/keywords',
      { params: { id: scored.appId }, query: { include } },
      me,
    );
    expect([include, response.status, response.body.code]).toEqual([
      include,
      400,
      'invalid_request',
    ]);
  }
});
