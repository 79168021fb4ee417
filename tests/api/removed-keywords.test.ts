import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeKeywords } from '#db/queries/housekeeping/retention.ts';
import { inSystem } from '#domain/base/context.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { describeTables, insertApp, marketIdOf, recordMarketSearch } from './keywords.fixtures.ts';

let api: TestApi;
/** The same database with plans. */
let metered: TestApi;
/** The same with a full queue. */
let full: TestApi;
beforeAll(async () => {
  api = await startApi();
  const { db, clock, services } = api;
  const settings = { ...services.settings, billingEnabled: true };
  metered = await startApi({
    db,
    clock,
    services: { ...services, settings },
    deps: { authSecret: api.authSecret },
  });
  const queueCapacity = { usedBytes: () => Promise.resolve(100), capBytes: 100 };
  full = await startApi({
    db,
    clock,
    services: { ...services, queueCapacity },
    deps: { authSecret: api.authSecret },
  });
});
afterAll(async () => {
  await metered.close();
  await full.close();
  await api.close();
});

const dayMs = 86_400_000;
// Credentials record their last use; refused requests write nothing else.
const seen = ['sessions', 'tokens'];
const start = new Date('2026-11-21T12:00:00Z');
const at = (days: number, ms = 0) => api.clock.set(new Date(start.getTime() + days * dayMs + ms));

const add = async (account: Account, id: number, phrases: string[], rest: object = {}) =>
  (
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id }, body: { phrases, countries: ['us'], ...rest } },
      account,
    )
  ).added;
const remove = (account: Account, id: number, ids: number[]) =>
  api.ok('POST /apps/{id}/keywords/delete', { params: { id }, body: { ids } }, account);
const list = (account: Account, id: number, query = {}) =>
  api.ok('GET /apps/{id}/removed-keywords', { params: { id }, query }, account);
const restore = (account: Account, id: number, ids: number[], on = api) =>
  on.call('POST /apps/{id}/removed-keywords/restore', { params: { id }, body: { ids } }, account);
const listLive = async (account: Account, id: number) =>
  (await api.ok('GET /apps/{id}/keywords', { params: { id } }, account)).items;
const waiting = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id);

/** A new account with an app and these keywords, on the first day. */
async function track(phrases: string[], rest: object = {}) {
  at(0);
  // A session would end before the 30 days.
  const me = await withToken(await api.signUp(), false);
  const app = await insertApp(api, me);
  return { me, app, keywords: await add(me, app.id, phrases, rest) };
}

describe('the list of removed keywords', () => {
  it('has what a restore brings back, and says until when', async () => {
    const { me, app, keywords } = await track(['kept word', 'gone word'], {
      tags: ['brand'],
      depth: 80,
    });
    const keywordId = keywords[1]!.id;
    const body = { note: 'of the campaign', favorite: true, paused: true };
    await api.ok('PATCH /keywords/{keywordId}', { params: { keywordId }, body }, me);
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId } }, me);
    const removed = {
      id: keywordId,
      appId: app.id,
      phrase: 'gone word',
      country: 'us',
      device: 'iphone',
      depth: 80,
      tags: ['brand'],
      ...body,
      removedAt: '2026-11-21T12:00:00.000Z',
      purgeAt: '2026-12-21T12:00:00.000Z',
    };
    const expected = { items: [removed], nextCursor: null, total: 1 };
    expect(await list(me, app.id)).toEqual(expected);
    expect(await list(await withToken(me, true), app.id)).toEqual(expected);
    // A tag that is renamed while the keyword is removed comes back renamed.
    await api.ok('PATCH /tags/{name}', { params: { name: 'brand' }, body: { name: 'own' } }, me);
    expect((await list(me, app.id)).items[0]!.tags).toEqual(['own']);
  });

  it('pages through the newest removals first, while others are added', async () => {
    const { me, app, keywords } = await track(Array.from({ length: 7 }, (_, at) => `word ${at}`));
    const ids = idsOf(keywords);
    for (const [days, removed] of [
      [1, [ids[3]!]],
      [2, [ids[0]!, ids[5]!, ids[1]!]],
      [3, [ids[2]!, ids[4]!]],
    ] as const) {
      at(days);
      await remove(me, app.id, [...removed]);
    }
    const order = [4, 2, 5, 1, 0, 3].map((index) => ids[index]!);
    expect(idsOf((await list(me, app.id)).items)).toEqual(order);
    const pages: number[][] = [];
    let cursor: string | undefined;
    do {
      const page = await list(me, app.id, { limit: 2, cursor });
      expect(page.total).toBe(pages.length === 0 ? 6 : 7);
      pages.push(idsOf(page.items));
      cursor = page.nextCursor ?? undefined;
      // A keyword that is removed meanwhile moves nothing to another page.
      if (pages.length === 1) await remove(me, app.id, [ids[6]!]);
    } while (cursor !== undefined);
    expect(pages).toEqual([order.slice(0, 2), order.slice(2, 4), order.slice(4)]);
  });

  it('pages over instants with microseconds, which imports have', async () => {
    const { me, app, keywords } = await track(['first', 'second', 'third']);
    await remove(me, app.id, idsOf(keywords));
    await api.db.pool.query(
      `update keywords set archived_at = archived_at + (id % 7 + 1) * interval '1 microsecond'
       where app_id = $1`,
      [app.id],
    );
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(me, app.id, { limit: 1, cursor });
      found.push(...idsOf(page.items));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(idsOf(keywords).toReversed());
  });

  it('ends with its 30 days, and rejects foreign apps, cursors and input', async () => {
    const { me, app, keywords } = await track(['short lived']);
    const other = await insertApp(api, me);
    const you = await api.signUp();
    await remove(me, app.id, idsOf(keywords));
    const read = async (id: number, query: object, account: Account) => {
      const { status, body } = await api.call(
        'GET /apps/{id}/removed-keywords',
        { params: { id }, query: query },
        account,
      );
      return [status, body.code ?? body.total];
    };
    expect(await read(app.id, {}, you)).toEqual([404, 'not_found']);
    expect(await read(2_000_000_000, {}, me)).toEqual([404, 'not_found']);
    expect(await read(other.id, {}, me)).toEqual([200, 0]);
    for (const query of [{ limit: 0 }, { limit: 501 }, { limit: 'x' }, { sort: 'id' }])
      expect(await read(app.id, query, me)).toEqual([400, 'invalid_request']);
    const cursorOf = (...parts: unknown[]) =>
      Buffer.from(JSON.stringify(parts)).toString('base64url');
    const name = `removed keywords ${app.id}`;
    for (const cursor of [
      cursorOf(`removed keywords ${other.id}`, start.getTime(), 1),
      cursorOf(name, start.getTime()),
      cursorOf(name, start.getTime(), -1),
      cursorOf(name, 1e300, 1),
      cursorOf(name, "' or true --", 1),
      'AAAA',
    ])
      expect(await read(app.id, { cursor }, me)).toEqual([400, 'invalid_cursor']);
    const largest = cursorOf(name, start.getTime() - 1, Number.MAX_SAFE_INTEGER);
    expect(await read(app.id, { cursor: largest }, me)).toEqual([200, 1]);
    at(30, -1);
    expect(await read(app.id, {}, me)).toEqual([200, 1]);
    at(30);
    expect(await read(app.id, {}, me)).toEqual([200, 0]);
    const before = await describeTables(api, seen);
    expect((await restore(me, app.id, idsOf(keywords))).status).toBe(404);
    expect(await describeTables(api, seen)).toEqual(before);
  });
});

describe('restoring removed keywords', () => {
  it('brings back id, history, tags, note and star, and uses a keyword of the plan', async () => {
    const { me, app, keywords } = await track(['comes back', 'stays away'], { tags: ['brand'] });
    const keywordId = keywords[0]!.id;
    const body = { note: 'best seller', favorite: true, depth: 120 };
    await api.ok('PATCH /keywords/{keywordId}', { params: { keywordId }, body }, me);
    const marketId = await marketIdOf(api, 'comes back');
    await recordMarketSearch(api, { marketId, listingIds: [0, app.listingId] });
    const readHistory = () =>
      api.ok(
        'GET /keywords/{keywordId}/rankings',
        { params: { keywordId }, query: { from: '2026-11-21', to: '2026-11-21' } },
        me,
      );
    const [before] = await listLive(me, app.id);
    const history = await readHistory();
    expect(history.items).toMatchObject([{ date: '2026-11-21', position: 2 }]);

    await remove(me, app.id, idsOf(keywords));
    at(12);
    const { status, body: response } = await restore(me, app.id, [keywordId, keywordId]);
    expect(status).toBe(200);
    expect(response).toMatchObject({
      restored: [{ id: keywordId, pending: 'queued' }],
      existing: [],
      job: { kind: 'first-check', state: 'queued' },
      budgetDelta: { searchesPerDay: 1 },
    });
    const [after, ...others] = await listLive(me, app.id);
    expect(others).toEqual([]);
    const { latest, best, ...same } = before!;
    expect(after).toMatchObject({ id: same.id, tags: ['brand'], ...body, paused: false, latest });
    expect(after!.best).toEqual(best);
    expect(after!.createdAt).toBe(same.createdAt);
    expect(await readHistory()).toEqual(history);
    expect((await list(me, app.id)).items).toMatchObject([{ phrase: 'stays away' }]);
    const { items } = await api.ok('GET /workspace/audit', null, me);
    expect(items[0]).toMatchObject({ action: 'keywords.restored', detail: { count: 1 } });

    // Again, because two tabs may do it: nothing is added.
    const again = await restore(me, app.id, [keywordId]);
    expect(again.body).toMatchObject({
      restored: [],
      existing: [{ id: keywordId }],
      job: null,
      budgetDelta: { searchesPerDay: 0 },
    });
  });

  it('leaves paused keywords paused, without a search, and today as it was', async () => {
    const { me, app, keywords } = await track(['paused word']);
    const keywordId = keywords[0]!.id;
    const marketId = await marketIdOf(api, 'paused word');
    await recordMarketSearch(api, { marketId, listingIds: [app.listingId] });
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId }, body: { paused: true } },
      me,
    );
    const [before] = await listLive(me, app.id);
    expect(before).toMatchObject({ paused: true, latest: { position: 1 } });
    const readPeriods = async () =>
      (await api.db.pool.query('select tracking_periods from keywords where id = $1', [keywordId]))
        .rows[0].tracking_periods;
    const periods = await readPeriods();
    expect(periods.at(-1)).toEqual(['2026-11-22', 0]);
    await remove(me, app.id, [keywordId]);
    const { body } = await restore(me, app.id, [keywordId]);
    expect(body).toMatchObject({ restored: [before], job: null });
    expect(body.budgetDelta.searchesPerDay).toBe(0);
    expect(await listLive(me, app.id)).toEqual([before]);
    expect(await readPeriods()).toEqual(periods);
    const ranks = await api.ok('GET /keywords/{keywordId}/rankings', { params: { keywordId } }, me);
    expect(ranks.items).toMatchObject([{ date: '2026-11-21', position: 1 }]);
    const budget = await api.ok('GET /jobs/budget', null, me);
    expect(budget.fanOut[0]!.kinds.rankChecks.jobs).toBe(0);
  });

  it('writes nothing when it is refused', async () => {
    const { me, app, keywords } = await track(['one', 'two', 'three']);
    const [one, two, three] = idsOf(keywords) as [number, number, number];
    const other = await insertApp(api, me);
    const you = await api.signUp();
    const theirs = await insertApp(api, you);
    const [foreign] = await add(you, theirs.id, ['one']);
    await remove(you, theirs.id, [foreign!.id]);
    await remove(me, app.id, [one, two]);
    const reader = await withToken(me, true);
    const before = await describeTables(api, seen);
    const outcome = async (...request: Parameters<typeof restore>) => {
      const { status, body } = await restore(...request);
      return [status, body.code];
    };
    expect(await outcome(me, app.id, [one, foreign!.id])).toEqual([404, 'not_found']);
    expect(await outcome(me, app.id, [one, 2_000_000_000])).toEqual([404, 'not_found']);
    expect(await outcome(me, other.id, [one])).toEqual([404, 'not_found']);
    expect(await outcome(you, app.id, [one])).toEqual([404, 'not_found']);
    expect(await outcome(reader, app.id, [one])).toEqual([403, 'read_only_token']);
    expect(await outcome(me, app.id, [one], full)).toEqual([500, 'queue_full']);
    const hostile: unknown[] = [
      [],
      [0],
      [-1],
      [1.5],
      ['1'],
      [null],
      Array.from({ length: 201 }, (_, index) => index + 1),
      'all',
    ];
    for (const ids of hostile)
      expect(await outcome(me, app.id, ids as number[])).toEqual([400, 'invalid_request']);
    expect(await describeTables(api, seen)).toEqual(before);

    await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, me);
    const archived = await describeTables(api, seen);
    expect((await restore(me, app.id, [one])).body).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'params.id', message: 'the app is archived; restore it first' }],
    });
    expect(await describeTables(api, seen)).toEqual(archived);
    await api.ok('POST /apps/{id}/restore', { params: { id: app.id } }, me);
    expect((await restore(me, app.id, [two, one, three])).body).toMatchObject({
      restored: [{ id: two }, { id: one }],
      existing: [{ id: three }],
    });
  });

  it('keeps the limit of the plan, which paused keywords do not count against', async () => {
    const { me, app, keywords } = await track(['first', 'second', 'third']);
    const [first, second, third] = idsOf(keywords) as [number, number, number];
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId: third }, body: { paused: true } },
      me,
    );
    await remove(me, app.id, [first, second, third]);
    for (let part = 0; part < 5; part += 1)
      await add(
        me,
        app.id,
        Array.from({ length: part < 4 ? 200 : 199 }, (_, index) => `full ${part} ${index}`),
      );
    const before = await describeTables(api, seen);
    const { status, body } = await restore(me, app.id, [third, first, second], metered);
    expect([status, body.code, body.quota]).toMatchObject([
      403,
      'quota_keyword_markets',
      { kind: 'keywordMarkets', limit: 1_000, used: 999, requested: 2 },
    ]);
    expect(await describeTables(api, seen)).toEqual(before);
    expect((await list(me, app.id)).total).toBe(3);
    expect((await restore(me, app.id, [third, first], metered)).body.restored).toMatchObject([
      { id: third, paused: true },
      { id: first, paused: false },
    ]);
    expect((await restore(me, app.id, [second], metered)).body.code).toBe('quota_keyword_markets');
  });

  it('is not undone by a deletion that is due at the same time', async () => {
    const { me, app, keywords } = await track(['one', 'two']);
    const [one, two] = idsOf(keywords) as [number, number];
    await remove(me, app.id, [one, two]);
    at(30);
    const client = await api.db.pool.connect();
    try {
      await client.query('begin');
      await client.query('update keywords set archived_at = null, purge_at = null where id = $1', [
        one,
      ]);
      let isOver = false;
      const deletion = inSystem(api.services, (tx) => purgeKeywords(tx, api.clock.now())).finally(
        () => (isOver = true),
      );
      await until(
        async () => isOver || (await api.db.pool.query(waiting)).rowCount === 1,
        60_000,
        'the deletion to end or wait',
      );
      await client.query('commit');
      await deletion;
    } finally {
      client.release();
    }
    expect(await list(me, app.id)).toMatchObject({ total: 0 });
    expect(await listLive(me, app.id)).toMatchObject([{ id: one }]);
  });

  it('are deleted a few at a time, because each may have years of imported positions', async () => {
    const phrases = Array.from({ length: 30 }, (_, index) => `phrase ${index}`);
    const { me, app, keywords } = await track(phrases);
    await remove(me, app.id, idsOf(keywords));
    at(30);
    const purge = () => inSystem(api.services, (tx) => purgeKeywords(tx, api.clock.now()));
    expect(await purge()).toBeLessThan(phrases.length);
    while ((await purge()) > 0);
    const { rowCount } = await api.db.pool.query('select from keywords where id = any($1)', [
      idsOf(keywords),
    ]);
    expect(rowCount).toBe(0);
  });

  it('does not replace a keyword that is deleted at the same time', async () => {
    const { me, app, keywords } = await track(['one', 'two']);
    await remove(me, app.id, idsOf(keywords));
    at(30, -1);
    const client = await api.db.pool.connect();
    try {
      await client.query('begin');
      await client.query('delete from keywords where id = $1', [keywords[0]!.id]);
      const restoring = restore(me, app.id, idsOf(keywords));
      await until(
        async () => (await api.db.pool.query(waiting)).rowCount === 1,
        60_000,
        'the restore to wait for the deletion',
      );
      await client.query('commit');
      const { status, body } = await restoring;
      expect([status, body.code]).toEqual([404, 'not_found']);
    } finally {
      client.release();
    }
    expect(await listLive(me, app.id)).toEqual([]);
    expect((await list(me, app.id)).items).toMatchObject([{ phrase: 'two' }]);
  });
});

async function withToken(account: Account, readOnly: boolean): Promise<Account> {
  const { headers } = await api.token(account, { readOnly });
  return { ...account, headers };
}
