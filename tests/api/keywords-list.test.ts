import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { recordMarketSearch, insertApp, marketIdOf } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const addPhrases = (account: Account, id: number, phrases: string[], countries = ['us']) =>
  api.ok('POST /apps/{id}/keywords', { params: { id }, body: { phrases, countries } }, account);
const numbered = (count: number, text = 'phrase') =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);

describe('listing keywords', () => {
  it('sorts missing values last in both directions, pages and filters', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const phrases = ['charlie', 'alpha', 'bravo', 'delta', 'echo'];
    const { added } = await addPhrases(me, app.id, phrases);
    const positions: Record<string, number[] | null> = {
      charlie: [1],
      alpha: [2],
      bravo: null,
      delta: [3],
      echo: [],
    };
    for (const [phrase, position] of Object.entries(positions)) {
      if (position === null) continue;
      const listingIds =
        position.length === 0
          ? [999_001]
          : [...numbered(position[0]! - 1).map((_, index) => 999_001 + index), app.listingId];
      await recordMarketSearch(api, { marketId: await marketIdOf(api, phrase), listingIds });
    }
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId: added[0]!.id }, body: { favorite: true, tags: ['brand'] } },
      me,
    );
    const list = async (query: object) =>
      (
        await api.ok('GET /apps/{id}/keywords', { params: { id: app.id }, query: query }, me)
      ).items.map((item) => item.phrase);
    expect(await list({})).toEqual(['alpha', 'bravo', 'charlie', 'delta', 'echo']);
    expect(await list({ sort: '-phrase' })).toEqual(['echo', 'delta', 'charlie', 'bravo', 'alpha']);
    expect(await list({ sort: 'position' })).toEqual([
      'charlie',
      'alpha',
      'delta',
      'bravo',
      'echo',
    ]);
    expect(await list({ sort: '-position' })).toEqual([
      'delta',
      'alpha',
      'charlie',
      'bravo',
      'echo',
    ]);
    expect(await list({ sort: 'change7d' })).toHaveLength(5);
    expect(await list({ state: 'ranked' })).toEqual(['alpha', 'charlie', 'delta']);
    expect(await list({ state: 'not_found' })).toEqual(['echo']);
    expect(await list({ state: 'not_checked' })).toEqual(['bravo']);
    expect(await list({ state: 'favorite' })).toEqual(['charlie']);
    expect(await list({ tag: 'brand' })).toEqual(['charlie']);
    expect(await list({ q: ' ALPH' })).toEqual(['alpha']);
    expect(await list({ q: '%' })).toEqual([]);
    expect(await list({ country: 'de' })).toEqual([]);
    const paged: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await api.ok(
        'GET /apps/{id}/keywords',
        {
          params: { id: app.id },
          query: { sort: '-position', limit: 2, ...(cursor ? { cursor } : {}) } as never,
        },
        me,
      );
      expect(page.total).toBe(5);
      paged.push(...page.items.map((item) => item.phrase));
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(['delta', 'alpha', 'charlie', 'bravo', 'echo']);
    const first = await api.ok(
      'GET /apps/{id}/keywords',
      { params: { id: app.id }, query: { limit: 2 } },
      me,
    );
    for (const query of [
      { sort: 'position', cursor: first.nextCursor },
      { cursor: 'bm90aGluZw' },
      { cursor: `${first.nextCursor}x` },
    ]) {
      const refused = await api.call(
        'GET /apps/{id}/keywords',
        { params: { id: app.id }, query: query as never },
        me,
      );
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it('gives the reason for no daily rank today', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await addPhrases(me, app.id, ['p queued', 'p running', 'p failed', 'p gap', 'p run', 'p done']);
    const set = async (phrase: string, columns: string) =>
      api.db.pool.query(`update market_schedule set ${columns} where market_id = $1`, [
        await marketIdOf(api, phrase),
      ]);
    await set('p running', `queued_until = '2026-11-21T12:01:00Z'`);
    await set(
      'p failed',
      `attempts = 1, attempts_on = '2026-11-21', retry_at = '2026-11-21T12:10:00Z'`,
    );
    await set('p gap', `urgent_at = null, completed_on = '2026-11-21'`);
    await set('p run', `urgent_at = null`);
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 'p done'),
      listingIds: [app.listingId],
    });
    const { items } = await api.ok('GET /apps/{id}/keywords', { params: { id: app.id } }, me);
    expect(Object.fromEntries(items.map((item) => [item.phrase, item.pending]))).toEqual({
      'p queued': 'queued',
      'p running': 'running',
      'p failed': 'store_error',
      'p gap': 'store_error',
      'p run': null,
      'p done': null,
    });
  });
});
