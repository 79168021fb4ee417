import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertDailyRanks } from '#db/queries/rankings/catch-up.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import {
  recordMarketSearch,
  describeTables,
  insertApp,
  marketIdOf,
  backfillMarket,
} from './keywords.fixtures.ts';

keepOrder('the first test reads the order of checks of the first keywords there are');

let api: TestApi;
/** Delays without a search, and what a test reads during one. */
const delays: { store: string; provider: string; requests: number }[] = [];
let duringDelay = async () => {};
beforeAll(async () => {
  const wait = async (search: (typeof delays)[number]) => {
    delays.push(search);
    await duringDelay();
  };
  api = await startApi({ services: { searchDelay: { wait } } });
});
afterAll(() => api.close());

// Sessions record their last use; refused requests write nothing else.
const seen = ['sessions'];
const rounds = process.env.TORTURE ? 20 : 5;
const add = (account: Account, id: number, body: object) =>
  api.call('POST /apps/{id}/keywords', { params: { id }, body: body as never }, account);
const addPhrases = (account: Account, id: number, phrases: string[], countries = ['us']) =>
  api.ok('POST /apps/{id}/keywords', { params: { id }, body: { phrases, countries } }, account);
const numbered = (count: number, text = 'phrase') =>
  Array.from({ length: count }, (_, index) => `${text} ${index}`);

describe('adding keywords', () => {
  it('accepts exactly 200, of 100 characters and 5 words', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const phrases = [
      ...numbered(197),
      '😀'.repeat(100),
      'e\u0301'.repeat(50),
      'eins zwei drei vier fünf',
    ];
    const response = await add(me, app.id, { phrases, countries: ['us'] });
    expect(response.status).toBe(201);
    expect(response.body.added).toHaveLength(200);
    expect(response.body.added.at(-2).phrase).toBe('é'.repeat(50));
    expect(response.body.job).toMatchObject({
      kind: 'first-check',
      state: 'queued',
      deduped: false,
    });
    const scheduled = await api.db.pool.query(
      'select count(*)::int as n, min(round_robin_order) as first, max(round_robin_order) as ' +
        'last from market_schedule s join markets m on m.id = s.market_id where depth = 200 and ' +
        'urgent_at is not null',
    );
    expect(scheduled.rows[0]).toEqual({ n: 200, first: 1, last: 200 });
  });

  it.each([
    [
      '201 keywords',
      { keywords: numbered(201).map((phrase) => ({ phrase, country: 'us' })) },
      'too_many_keywords',
    ],
    [
      '201 after the cross product',
      { phrases: numbered(67), countries: ['us', 'de', 'fr'] },
      'too_many_keywords',
    ],
    [
      '101 characters',
      { phrases: ['fine', '😀'.repeat(101)], countries: ['us'] },
      'phrase_too_long',
    ],
    [
      '101 characters when normalized',
      { phrases: ['fine', `${'ﬃ'.repeat(33)}ab${'c'}`], countries: ['us'] },
      'phrase_too_long',
    ],
    ['6 words', { phrases: ['fine', 'a b c d e f'], countries: ['us'] }, 'too_many_words'],
    ['an uppercase country', { phrases: ['fine'], countries: ['us', 'DE'] }, 'invalid_country'],
    ['an empty phrase', { phrases: ['fine', ' \u3000'], countries: ['us'] }, 'invalid_request'],
    ['a NUL', { phrases: ['fine', 'a\0b'], countries: ['us'] }, 'invalid_request'],
    [
      'half a surrogate pair',
      { phrases: ['fine', '\ud83d'], countries: ['us'] },
      'invalid_request',
    ],
    [
      'a depth of 201',
      { keywords: [{ phrase: 'fine', country: 'us', depth: 201 }] },
      'invalid_request',
    ],
    [
      'a NUL in a tag',
      { keywords: [{ phrase: 'fine', country: 'us', tags: ['\0'] }] },
      'invalid_request',
    ],
    [
      'an unknown member',
      { keywords: [{ phrase: 'fine', country: 'us', position: 1 }] },
      'invalid_request',
    ],
  ])('refuses %s with 400 and writes nothing', async (_name, body, code) => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const before = await describeTables(api, seen);
    for (const key of ['POST /apps/{id}/keywords', 'POST /apps/{id}/keywords/preview'] as const) {
      const response = await api.call(key, { params: { id: app.id }, body: body as never }, me);
      expect(response.status).toBe(400);
      expect(response.body.code).toBe(code);
      expect(response.body.issues.length).toBeGreaterThan(0);
    }
    expect(await describeTables(api, seen)).toEqual(before);
  });

  it('names path, rule, limit and actual value of an error', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const response = await add(me, app.id, {
      keywords: [
        { phrase: 'ok', country: 'us' },
        { phrase: 'x'.repeat(101), country: 'us' },
      ],
    });
    expect(response.body.issues).toEqual([
      {
        path: 'keywords.1.phrase',
        code: 'too_large',
        message: 'characters in a phrase',
        limit: 100,
        actual: 101,
      },
    ]);
  });

  it('is idempotent, and ignores duplicates within a request', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const first = await addPhrases(
      me,
      app.id,
      ['Photo  Editor', 'photo editor', 'collage'],
      ['us', 'de'],
    );
    expect(first.added.map((keyword) => `${keyword.phrase} ${keyword.country}`)).toEqual([
      'photo editor us',
      'photo editor de',
      'collage us',
      'collage de',
    ]);
    expect(first.existing).toEqual([]);
    // Four searches, a seventh of their hints; in the new country a refresh, a feed, a page and two
    // charts.
    expect(first.budgetDelta).toMatchObject({ searchesPerDay: 4, requestsPerDay: 11.29 });
    const again = await addPhrases(me, app.id, ['PHOTO EDITOR', 'new one']);
    expect(again.added.map((keyword) => keyword.phrase)).toEqual(['new one']);
    expect(again.existing.map((keyword) => keyword.id)).toEqual([first.added[0]!.id]);
    const nothing = await addPhrases(me, app.id, ['photo editor']);
    const statusOf = async (phrase: string) =>
      (
        await api.call(
          'POST /apps/{id}/keywords',
          { params: { id: app.id }, body: { keywords: [{ phrase, country: 'us' }] } },
          me,
        )
      ).status;
    expect([await statusOf('photo\teditor'), await statusOf('newer')]).toEqual([200, 201]);
    expect(nothing).toMatchObject({
      added: [],
      job: null,
      budgetDelta: { searchesPerDay: 0, requestsPerDay: 0 },
    });
  });

  it(`handles ${rounds} rounds of two equal adds of 200 without duplicates`, async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const [mine, yours] = [await insertApp(api, me), await insertApp(api, you)];
    for (let round = 0; round < rounds; round += 1) {
      const phrases = numbered(100, `round ${round}`);
      const shuffled = phrases.toReversed();
      const responses = await Promise.all([
        addPhrases(me, mine.id, phrases, ['us', 'de']),
        addPhrases(me, mine.id, shuffled, ['de', 'us']),
        ...(round % 4 === 0 ? [addPhrases(you, yours.id, shuffled, ['us', 'de'])] : []),
      ]);
      expect(responses[0].added.length + responses[1].added.length).toBe(200);
      expect(responses[0].existing.length + responses[1].existing.length).toBe(200);
    }
    const counts = await api.db.pool.query(
      `select (select count(*)::int from keywords
         where app_id = $1) as keywords, (select count(*)::int from markets
           where phrase like 'round %') as markets,
        (select sum(markets)::int from budgets where workspace_id = $2) as budget`,
      [mine.id, me.workspaceId],
    );
    expect(counts.rows[0]).toEqual({
      keywords: 200 * rounds,
      markets: 200 * rounds,
      budget: 200 * rounds,
    });
  });

  it('costs exactly what the preview said', async () => {
    const me = await api.signUp();
    for (const store of ['ios', 'android'] as const) {
      const app = await insertApp(api, me, {
        store,
        storeAppId: store === 'ios' ? '777001' : 'com.preview',
      });
      const other = await insertApp(api, me, {
        store,
        storeAppId: store === 'ios' ? '777002' : 'com.other',
      });
      await addPhrases(me, other.id, ['shared one', 'shared two']);
      const body = {
        keywords: [
          { phrase: 'shared one', country: 'us' },
          { phrase: 'fresh', country: 'us', depth: 30 },
          { phrase: 'FRESH', country: 'us' },
          { phrase: 'fresh', country: 'de', depth: 31 },
          { phrase: 'fresh', country: 'fr' },
        ],
      };
      const before = await describeTables(api, seen);
      const preview = await api.ok(
        'POST /apps/{id}/keywords/preview',
        { params: { id: app.id }, body },
        me,
      );
      expect(await describeTables(api, seen)).toEqual(before);
      expect(preview.items.map((item) => item.state)).toEqual([
        'new',
        'new',
        'duplicate',
        'new',
        'new',
      ]);
      expect(preview.items.map((item) => item.requestsPerDay)).toEqual(
        store === 'ios' ? [1, 1, 0, 1, 1] : [8, 1, 0, 2, 8],
      );
      const added = await api.ok('POST /apps/{id}/keywords', { params: { id: app.id }, body }, me);
      expect(added.budgetDelta).toEqual(preview.budgetDelta);
      expect(added.budgetDelta).toMatchObject({
        searchesPerDay: 3,
        requestsPerDay: store === 'ios' ? 14.71 : 20.71,
      });
    }
  });

  it('returns 404 for unknown apps, and 503 while the queue is full', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const theirs = await insertApp(api, you);
    const responses = await Promise.all(
      [theirs.id, 2_000_000].map((id) => add(me, id, { phrases: ['a'], countries: ['us'] })),
    );
    for (const response of responses) expect(response.status).toBe(404);
    expect(responses[0]!.body.message).toBe(responses[1]!.body.message);
    const own = await insertApp(api, me);
    const usedBytes = api.services.queueCapacity.usedBytes;
    api.services.queueCapacity.usedBytes = () =>
      Promise.resolve(api.services.queueCapacity.capBytes);
    const before = await describeTables(api, seen);
    const full = await add(me, own.id, { phrases: ['a'], countries: ['us'] });
    api.services.queueCapacity.usedBytes = usedBytes;
    expect([full.status, full.body.code]).toEqual([500, 'queue_full']);
    expect(await describeTables(api, seen)).toEqual(before);
  });
});

describe('a market that was checked today', () => {
  it('gives another app of the workspace its daily rank without a new search', async () => {
    const me = await api.signUp();
    const [first, second, absent, deep] = [
      await insertApp(api, me),
      await insertApp(api, me),
      await insertApp(api, me),
      await insertApp(api, me),
    ];
    await addPhrases(me, first.id, ['answered', 'long list']);
    const [short, long] = [await marketIdOf(api, 'answered'), await marketIdOf(api, 'long list')];
    await recordMarketSearch(api, {
      marketId: short,
      listingIds: [first.listingId, second.listingId],
      at: '2026-11-21T03:00:00Z',
    });
    await recordMarketSearch(api, {
      marketId: long,
      listingIds: [first.listingId],
      resultCount: 180,
      at: '2026-11-21T03:00:00Z',
    });
    const found = await addPhrases(me, second.id, ['answered']);
    const missing = await addPhrases(me, absent.id, ['answered']);
    expect(found.added[0]).toMatchObject({ latest: null, pending: 'queued' });
    expect(found.job).not.toBeNull();
    await backfillMarket(api, short);
    const read = (id: number) =>
      api.ok('GET /keywords/{keywordId}', { params: { keywordId: id } }, me);
    const seen = await read(found.added[0]!.id);
    expect(seen.latest).toMatchObject({
      date: '2026-11-21',
      state: 'ranked',
      position: 2,
      depth: 200,
    });
    // Never before the keyword itself, although the search was earlier.
    expect(seen.latest!.checkedAt >= seen.createdAt).toBe(true);
    expect(seen).toMatchObject({ best: { position: 2, date: '2026-11-21' }, pending: null });
    expect((await read(missing.added[0]!.id)).latest).toMatchObject({
      state: 'not_found',
      position: null,
      depth: 200,
    });
    // 180 results, 50 stored: only another search would show it, and no store responds here.
    const undecided = await addPhrases(me, deep.id, ['long list']);
    await backfillMarket(api, long).catch(() => undefined);
    expect((await read(undecided.added[0]!.id)).latest).toBeNull();
  });

  it('shows a keyword no deeper than it is tracked', async () => {
    const me = await api.signUp();
    const [first, second] = [await insertApp(api, me), await insertApp(api, me)];
    await addPhrases(me, first.id, ['shallow']);
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 'shallow'),
      listingIds: [first.listingId, 999_001, 999_002, second.listingId],
    });
    const response = await api.ok(
      'POST /apps/{id}/keywords',
      {
        params: { id: second.id },
        body: { keywords: [{ phrase: 'shallow', country: 'us', depth: 3 }] },
      },
      me,
    );
    await backfillMarket(api, await marketIdOf(api, 'shallow'));
    const seen = await api.ok(
      'GET /keywords/{keywordId}',
      { params: { keywordId: response.added[0]!.id } },
      me,
    );
    expect(seen.latest).toMatchObject({ state: 'not_found', position: null, depth: 3 });
  });

  it('shows the depth of its daily rank, even if searched deeper for others', async () => {
    const me = await api.signUp();
    const [first, second] = [await insertApp(api, me), await insertApp(api, me)];
    await addPhrases(me, first.id, ['deeper for another']);
    const marketId = await marketIdOf(api, 'deeper for another');
    await recordMarketSearch(api, { marketId, listingIds: [first.listingId], depth: 50 });
    await insertDailyRanks(api.db.systemDb, {
      marketId,
      day: '2026-11-21',
      month: '2026-11-01',
      dayIndex: 20,
      depth: 200,
      checkedAt: api.clock.now(),
      firstCheck: { at: api.clock.now(), second: 43_200 },
      listingIds: [second.listingId],
      positions: [150],
      dailyRanks: [150],
    });
    const { added } = await addPhrases(me, second.id, ['deeper for another']);
    const seen = await api.ok(
      'GET /keywords/{keywordId}',
      { params: { keywordId: added[0]!.id } },
      me,
    );
    expect(seen.latest).toMatchObject({ position: 150, depth: 200 });
  });

  it('hides from a new workspace that others track it, and earlier positions', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const mine = await insertApp(api, me, { storeAppId: '555001' });
    await addPhrases(me, mine.id, ['followed by me']);
    const marketId = await marketIdOf(api, 'followed by me');
    await recordMarketSearch(api, {
      marketId,
      listingIds: [mine.listingId],
      at: '2026-11-20T03:00:00Z',
    });
    await recordMarketSearch(api, {
      marketId,
      listingIds: [999_001, mine.listingId],
      at: '2026-11-21T03:00:00Z',
    });
    const yours = await insertApp(api, you, { storeAppId: '555001' });
    const ask = async (phrase: string) => {
      const preview = await api.ok(
        'POST /apps/{id}/keywords/preview',
        { params: { id: yours.id }, body: { phrases: [phrase], countries: ['us'] } },
        you,
      );
      return {
        preview: preview.budgetDelta.requestsPerDay,
        added: await addPhrases(you, yours.id, [phrase]),
      };
    };
    const unknown = await ask('followed by you');
    const shared = await ask('followed by me');
    const shapeOf = (value: unknown) =>
      JSON.stringify(value)
        .replace(/followed by (me|you)/g, 'phrase')
        .replace(/"(id|utilization\w+)":[\d.]+/g, '"$1":0');
    expect(shapeOf(shared)).toBe(shapeOf(unknown));
    expect(shared.added.job).not.toBeNull();
    const keywordId = shared.added.added[0]!.id;
    expect(await api.ok('GET /keywords/{keywordId}', { params: { keywordId } }, you)).toMatchObject(
      { latest: null, best: null, pending: 'queued' },
    );
    const read = async () => {
      const params = { keywordId };
      const ranks = await api.ok(
        'GET /keywords/{keywordId}/rankings',
        { params, query: { fill: 'gaps' } },
        you,
      );
      const serp = await api.call('GET /keywords/{keywordId}/serp', { params }, you);
      return [ranks.items, serp.status];
    };
    const date = '2026-11-21';
    const reason = 'not_yet_run';
    const nothing = { date, keywordId, state: 'not_checked', reason, fallback: null };
    duringDelay = async () => expect(await read()).toEqual([[nothing], 404]);
    await duringDelay();
    delays.length = 0;
    api.clock.advance(90_000);
    await backfillMarket(api, marketId);
    duringDelay = async () => {};
    // The rank has the time of the delay, not of the search at 03:00.
    expect(delays).toEqual([{ store: 'ios', provider: 'itunes', requests: 1 }]);
    expect(await read()).toEqual([
      [expect.objectContaining({ date, position: 2, checkedAt: '2026-11-21T12:01:30.000Z' })],
      200,
    ]);
    api.clock.set('2026-11-21T12:00:00Z');
    const later = await api.ok(
      'GET /keywords/{keywordId}',
      { params: { keywordId }, query: { include: 'spark' } },
      you,
    );
    expect(later.latest!.checkedAt).toBe('2026-11-21T12:01:30.000Z');
    expect(later.latest).toMatchObject({ date: '2026-11-21', position: 2 });
    expect(later.best).toEqual({ position: 2, date: '2026-11-21' });
    expect(later.change1d).toMatchObject({ positionsGained: null, from: null });
    expect(later.spark!.slice(-2)).toEqual(['-', 2]);
    const job = await api.ok('GET /jobs/{jobId}', { params: { jobId: shared.added.job!.id } }, you);
    expect(job.progress).toEqual({ done: 0, total: 1 });
  });
});

describe('updating and deleting keywords', () => {
  const trackingPeriodsOf = async (id: number) =>
    (await api.db.pool.query('select tracking_periods, purge_at from keywords where id = $1', [id]))
      .rows[0];

  it('pauses from today, removes the market from the run, and resumes it', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const [keyword] = (await addPhrases(me, app.id, ['paused later'])).added;
    const patch = (body: object) =>
      api.ok('PATCH /keywords/{keywordId}', { params: { keywordId: keyword!.id }, body }, me);
    const scheduleDepth = async () =>
      (
        await api.db.pool.query('select depth from market_schedule where market_id = $1', [
          await marketIdOf(api, 'paused later'),
        ])
      ).rows[0].depth;
    expect(await patch({ paused: true, note: 'wait', tags: ['a', 'a', 'b'] })).toMatchObject({
      paused: true,
      pending: 'paused',
      note: 'wait',
      tags: ['a', 'b'],
    });
    expect((await trackingPeriodsOf(keyword!.id)).tracking_periods).toEqual([['2026-11-21', 0]]);
    expect(await scheduleDepth()).toBe(0);
    expect((await api.ok('GET /jobs/budget', null, me)).fanOut[0]!.kinds.rankChecks.jobs).toBe(0);
    expect(await patch({ paused: false, depth: 50, note: null })).toMatchObject({
      paused: false,
      depth: 50,
      note: null,
      tags: ['a', 'b'],
    });
    expect(await scheduleDepth()).toBe(50);
    expect((await trackingPeriodsOf(keyword!.id)).tracking_periods).toEqual([
      ['2026-11-21', 0],
      ['2026-11-21', 50, -43_201],
    ]);
  });

  it('deletes with 30 days of history left, and adding again restores it', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const [keyword] = (await addPhrases(me, app.id, ['comes back'])).added;
    await recordMarketSearch(api, {
      marketId: await marketIdOf(api, 'comes back'),
      listingIds: [app.listingId],
    });
    expect(
      await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: keyword!.id } }, me),
    ).toEqual({ id: keyword!.id, deleted: true });
    const kept = await trackingPeriodsOf(keyword!.id);
    expect(kept.tracking_periods).toEqual([
      ['2026-11-21', 200, 43_200],
      ['2026-11-22', 0],
    ]);
    expect(kept.purge_at.toISOString()).toBe('2026-12-21T12:00:00.000Z');
    for (const key of ['GET /keywords/{keywordId}', 'DELETE /keywords/{keywordId}'] as const) {
      expect((await api.call(key, { params: { keywordId: keyword!.id } }, me)).status).toBe(404);
    }
    expect((await api.ok('GET /apps/{id}/keywords', { params: { id: app.id } }, me)).total).toBe(0);
    const [back] = (await addPhrases(me, app.id, ['comes back'])).added;
    expect(back!.id).toBe(keyword!.id);
    expect((await trackingPeriodsOf(keyword!.id)).tracking_periods).toEqual([
      ['2026-11-21', 200, 43_200],
    ]);
    expect(
      (await api.ok('GET /keywords/{keywordId}', { params: { keywordId: keyword!.id } }, me))
        .latest,
    ).toMatchObject({ position: 1 });
  });

  it('changes up to 200 alike, or none if one belongs to another app', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const [app, other, theirs] = [
      await insertApp(api, me),
      await insertApp(api, me),
      await insertApp(api, you),
    ];
    const ids = (await addPhrases(me, app.id, numbered(5, 'bulk'))).added.map(
      (keyword) => keyword.id,
    );
    const [foreign] = (await addPhrases(you, theirs.id, ['bulk 0'])).added;
    const [elsewhere] = (await addPhrases(me, other.id, ['bulk 0'])).added;
    const set = { addTags: ['x', 'y'], favorite: true, paused: true, depth: 10 };
    expect(
      await api.ok(
        'POST /apps/{id}/keywords/update',
        { params: { id: app.id }, body: { ids, set } },
        me,
      ),
    ).toEqual({ updated: 5 });
    expect(
      await api.ok('GET /keywords/{keywordId}', { params: { keywordId: ids[4]! } }, me),
    ).toMatchObject({
      tags: ['x', 'y'],
      favorite: true,
      paused: true,
      depth: 10,
    });
    await api.ok(
      'POST /apps/{id}/keywords/update',
      { params: { id: app.id }, body: { ids, set: { removeTags: ['x'], addTags: ['z'] } } },
      me,
    );
    expect(
      (await api.ok('GET /keywords/{keywordId}', { params: { keywordId: ids[0]! } }, me)).tags,
    ).toEqual(['y', 'z']);
    const before = await describeTables(api, seen);
    for (const stranger of [foreign!.id, elsewhere!.id, 2_000_000]) {
      const expected = [...ids, stranger];
      const responses = [
        await api.call(
          'POST /apps/{id}/keywords/update',
          { params: { id: app.id }, body: { ids: expected, set } },
          me,
        ),
        await api.call(
          'POST /apps/{id}/keywords/delete',
          { params: { id: app.id }, body: { ids: expected } },
          me,
        ),
      ];
      expect(responses.map((response) => response.status)).toEqual([404, 404]);
    }
    for (const keywordId of [foreign!.id, 2_000_000]) {
      const responses = [
        await api.call('GET /keywords/{keywordId}', { params: { keywordId } }, me),
        await api.call(
          'PATCH /keywords/{keywordId}',
          { params: { keywordId }, body: { paused: true } },
          me,
        ),
        await api.call('DELETE /keywords/{keywordId}', { params: { keywordId } }, me),
      ];
      expect(responses.map((response) => response.status)).toEqual([404, 404, 404]);
    }
    expect(await describeTables(api, seen)).toEqual(before);
    expect(
      await api.ok(
        'POST /apps/{id}/keywords/delete',
        { params: { id: app.id }, body: { ids: [...ids, ids[0]!] } },
        me,
      ),
    ).toEqual({ deleted: 5 });
    expect(
      (await api.ok('GET /keywords/{keywordId}', { params: { keywordId: elsewhere!.id } }, me))
        .paused,
    ).toBe(false);
  });

  it('runs beside the daily check that writes the same markets', async () => {
    const [me, you] = [await api.signUp(), await api.signUp()];
    const [mine, yours] = [await insertApp(api, me), await insertApp(api, you)];
    const phrases = numbered(8, 'contended');
    const ids = (await addPhrases(me, mine.id, phrases)).added.map((keyword) => keyword.id);
    const theirs = (await addPhrases(you, yours.id, phrases)).added.map((keyword) => keyword.id);
    const marketIds = await Promise.all(phrases.map((phrase) => marketIdOf(api, phrase)));
    for (let round = 0; round < 10; round += 1) {
      const day = `2026-11-${String(round + 11)}`;
      await Promise.all([
        api.ok(
          'POST /apps/{id}/keywords/update',
          {
            params: { id: mine.id },
            body: { ids: ids.toReversed(), set: { paused: round % 2 === 0 } },
          },
          me,
        ),
        api.ok(
          'POST /apps/{id}/keywords/update',
          { params: { id: yours.id }, body: { ids: theirs, set: { depth: 100 + round } } },
          you,
        ),
        ...marketIds.toReversed().map((marketId) =>
          recordMarketSearch(api, {
            marketId,
            listingIds: [mine.listingId],
            at: `${day}T03:00:00Z`,
          }),
        ),
      ]);
    }
    const { rows } = await api.db.pool.query(
      'select distinct depth from market_schedule where market_id = any($1)',
      [marketIds],
    );
    expect(rows).toEqual([{ depth: 200 }]);
  });

  it('adds nothing to an archived app, whose keywords stay readable', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    await addPhrases(me, app.id, ['before']);
    await api.db.pool.query('update apps set archived_at = now() where id = $1', [app.id]);
    const refused = await add(me, app.id, { phrases: ['after'], countries: ['us'] });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
    expect((await api.ok('GET /apps/{id}/keywords', { params: { id: app.id } }, me)).total).toBe(1);
  });

  it('keeps depth and state of keywords of an archived app, whose notes may change', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const { added } = await addPhrases(me, app.id, ['followed', 'paused']);
    const [followed, paused] = added;
    const patch = (keywordId: number, body: object) =>
      api.call('PATCH /keywords/{keywordId}', { params: { keywordId }, body }, me);
    const update = (ids: number[], set: object) =>
      api.call(
        'POST /apps/{id}/keywords/update',
        { params: { id: app.id }, body: { ids, set } },
        me,
      );
    await patch(paused!.id, { paused: true });
    await api.ok('DELETE /apps/{id}', { params: { id: app.id } }, me);

    const before = await describeTables(api, ['sessions']);
    const ids = [followed!.id, paused!.id];
    for (const set of [{ depth: 100 }, { paused: false }, { paused: true }] as const) {
      const changed = 'paused' in set && !set.paused ? paused! : followed!;
      const single = await patch(changed.id, { note: 'not kept', ...set });
      const bulk = await update(ids, { favorite: true, ...set });
      expect([single.status, single.body.code, single.body.issues[0]]).toMatchObject([
        400,
        'invalid_request',
        { path: 'params.keywordId', message: 'the app is archived; restore it first' },
      ]);
      expect([bulk.status, bulk.body.code, bulk.body.issues[0]]).toMatchObject([
        400,
        'invalid_request',
        { path: 'params.id', message: 'the app is archived; restore it first' },
      ]);
    }
    expect(await describeTables(api, ['sessions'])).toEqual(before);

    // What a form saves unchanged besides a note changes nothing that is checked.
    const noted = await patch(followed!.id, { note: 'kept', paused: false, depth: 200 });
    expect(noted.body).toMatchObject({ note: 'kept', paused: false, depth: 200 });
    expect((await update(ids, { addTags: ['old'], favorite: true })).body).toEqual({ updated: 2 });
  });

  it('stores at most 20 tags', async () => {
    const me = await api.signUp();
    const app = await insertApp(api, me);
    const [keyword] = (
      await api.ok(
        'POST /apps/{id}/keywords',
        {
          params: { id: app.id },
          body: { phrases: ['tags'], countries: ['us'], tags: numbered(20, 't') },
        },
        me,
      )
    ).added;
    const more = await api.call(
      'POST /apps/{id}/keywords/update',
      { params: { id: app.id }, body: { ids: [keyword!.id], set: { addTags: ['one more'] } } },
      me,
    );
    expect([more.status, more.body.issues[0]]).toEqual([
      400,
      { path: 'tags', code: 'too_large', message: 'tags of a keyword', limit: 20, actual: 21 },
    ]);
    for (const body of [{ note: 'a\0' }, { tags: ['\ud800'] }]) {
      expect(
        (
          await api.call(
            'PATCH /keywords/{keywordId}',
            { params: { keywordId: keyword!.id }, body },
            me,
          )
        ).status,
      ).toBe(400);
    }
  });
});
