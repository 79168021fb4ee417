import { unpackProvenance } from '#db/queries/scores/packed-provenance.ts';
import { deleteStaleScores, listStaleScores } from '#db/queries/scores/stale-scores.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { scoreMarkets, scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { describeTables, endFirstChecks, insertApp } from './keywords.fixtures.ts';
import {
  follow,
  insertHintEvidence,
  insertSerp,
  setLatestPosition,
  tenApps,
} from './scores.fixtures.ts';

const today = '2026-11-21';
let api: TestApi;
let ann: Account;
beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
});
afterAll(() => api.close());

const scores = (keywordId: number, account = ann, query: object = {}) =>
  api.ok('GET /keywords/{keywordId}/scores', { params: { keywordId }, query }, account);
const ask = (keywordId: number, credential: Parameters<TestApi['call']>[2] = ann) =>
  api.call('POST /keywords/{keywordId}/score', { params: { keywordId } }, credential);

describe('a score on demand', () => {
  it('is a job with hints, and a search if there was none; repeating is idempotent', async () => {
    const { keywordId, marketId, appId } = await follow(api, ann, 'ask once');
    await api.db.pool.query('update market_schedule set urgent_at = null where market_id = $1', [
      marketId,
    ]);
    const first = await ask(keywordId);
    expect(first.status).toBe(202);
    expect(first.body).toMatchObject({
      job: { kind: 'score', state: 'queued', deduped: false },
      poll: `/keywords/${keywordId}/scores`,
    });
    const again = await ask(keywordId);
    expect(again.body.job).toMatchObject({
      id: first.body.job.id,
      deduped: true,
    });
    const { rows } = await api.db.pool.query(
      `select c.urgent_at is not null as hints, s.urgent_at is not null as search from store_tasks c
         join market_schedule s using (market_id)
       where c.market_id = $1 and c.kind = 'hints'`,
      [marketId],
    );
    expect(rows).toEqual([{ hints: true, search: true }]);
    const job = await api.ok('GET /jobs/{jobId}', { params: { jobId: first.body.job.id } }, ann);
    expect(job).toMatchObject({ kind: 'score', appId, progress: { done: 0, total: 2 } });
  });

  it('does not search a market again that has results', async () => {
    const { keywordId, marketId } = await follow(api, ann, 'has results');
    await insertSerp(api, marketId, today, tenApps('has results', { named: 3, ratingCount: 100 }));
    const { body } = await ask(keywordId);
    expect(
      (await api.ok('GET /jobs/{jobId}', { params: { jobId: body.job.id } }, ann)).progress.total,
    ).toBe(1);
    const { rows } = await api.db.pool.query(
      'select urgent_at from market_schedule where market_id = $1',
      [marketId],
    );
    expect(rows).toEqual([{ urgent_at: null }]);
  });

  it('is refused for foreign, paused and archived keywords, readers, a full queue', async () => {
    const own = await follow(api, ann, 'refused');
    const pausing = await follow(api, ann, 'refused paused');
    await api.ok(
      'PATCH /keywords/{keywordId}',
      { params: { keywordId: pausing.keywordId }, body: { paused: true } },
      ann,
    );
    const put = await follow(api, ann, 'refused archived');
    await api.ok('PATCH /apps/{id}', { params: { id: put.appId }, body: { archived: true } }, ann);
    const [ben, token] = [await api.signUp(), await api.token(ann, { readOnly: true })];
    const except = ['tokens', 'sessions'];
    const before = await describeTables(api, except);
    const refusals = [
      [await ask(own.keywordId, ben), 404, 'not_found'],
      [await ask(2_000_000_000), 404, 'not_found'],
      [await ask(pausing.keywordId), 400, 'invalid_request'],
      [await ask(put.keywordId), 400, 'invalid_request'],
      [await ask(own.keywordId, token), 403, 'read_only_token'],
      [
        await api.raw(`/keywords/${own.keywordId}x/score`, { method: 'POST' }, ann),
        400,
        'invalid_request',
      ],
      [await ask(own.keywordId, null), 401, 'unauthenticated'],
    ] as const;
    expect(refusals.map(([response]) => [response.status, response.body.code])).toEqual(
      refusals.map(([, status, code]) => [status, code]),
    );
    const full = await startApi({
      db: api.db,
      services: { queueCapacity: { usedBytes: () => Promise.resolve(100), capBytes: 100 } },
    });
    const cat = await full.signUp({ workspaceId: ann.workspaceId });
    // The new workspace of the other process, which the trigger counts.
    const others = [...except, 'users', 'memberships', 'workspaces', 'budget_counts'];
    const kept = await describeTables(api, others);
    const refused = await full.call(
      'POST /keywords/{keywordId}/score',
      { params: { keywordId: own.keywordId } },
      cat,
    );
    expect([refused.status, refused.body.code]).toEqual([500, 'queue_full']);
    const after = await describeTables(api, others);
    await full.close();
    expect(after).toEqual(kept);
    const hidden = Object.fromEntries(others.map((table) => [table, '']));
    expect({ ...before, ...hidden }).toEqual({ ...after, ...hidden });
  });
});

describe('the scores of a keyword', () => {
  it('are listed newest first with provenance, in pages, within the days', async () => {
    const { keywordId, marketId } = await follow(api, ann, 'many scores');
    for (const [step, named] of [1, 4, 8].entries()) {
      await api.db.pool.query('delete from serps where market_id = $1', [marketId]);
      await insertSerp(
        api,
        marketId,
        today,
        tenApps('many scores', { named, ratingCount: 1_000 * (step + 1) }),
      );
      expect(await scoreMarkets(api.services, [marketId])).toBe(1);
      expect(await scoreMarkets(api.services, [marketId])).toBe(0);
    }
    const all = await scores(keywordId);
    expect(all).toMatchObject({ store: 'ios', total: 3, nextCursor: null });
    const values = all.items.map((item) => item.difficulty!);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(all.items[0]).toMatchObject({
      scoredAt: '2026-11-21T12:00:00.000Z',
      traffic: expect.any(Number),
      provenance: {
        formula: 'traffic.ios@2+difficulty.ios@2',
        store: 'ios',
        country: 'us',
        observedAt: today,
        inputs: {
          serpDate: today,
          serpSize: 10,
          medianRatingCount: 3_000,
          exactTitles: 8,
          hintsDate: null,
          chartingApps: null,
        },
        missing: [
          'traffic.early',
          'traffic.rank',
          'traffic.continuations',
          'traffic.charts',
          'difficulty.age',
        ],
        confidence: 'low',
        confidences: { traffic: 'low', difficulty: 'high' },
      },
    });
    const first = await scores(keywordId, ann, { limit: '2' });
    const second = await scores(keywordId, ann, { limit: '2', cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect((await scores(keywordId, ann, { from: '2026-11-01', to: '2026-11-20' })).items).toEqual(
      [],
    );
    const bad = [
      { cursor: 'eyJhIjoxfQ' },
      { from: '2026-11-02', to: '2026-11-01' },
      { limit: '501' },
      { unknown: '1' },
    ];
    for (const query of bad) {
      const response = await api.call(
        'GET /keywords/{keywordId}/scores',
        { params: { keywordId }, query },
        ann,
      );
      expect(response.status).toBe(400);
    }
  });

  it('are written once, however many compute them at once', async () => {
    const { keywordId, marketId } = await follow(api, ann, 'all at once');
    await insertSerp(api, marketId, today, tenApps('all at once', { named: 3, ratingCount: 300 }));
    const written = await Promise.all(
      Array.from({ length: 6 }, () => scoreMarkets(api.services, [marketId])),
    );
    expect(written.toSorted()).toEqual([0, 0, 0, 0, 0, 1]);
    expect((await scores(keywordId)).total).toBe(1);
  });

  it('from evidence older than the workspace’s tracking are hidden', async () => {
    const { marketId } = await follow(api, ann, 'shared market');
    await insertHintEvidence(api, marketId, '2026-11-19', [['sha', 1]]);
    await insertSerp(
      api,
      marketId,
      today,
      tenApps('shared market', { named: 5, ratingCount: 5_000 }),
    );
    await scoreMarkets(api.services, [marketId]);
    const ben = await api.signUp();
    const theirs = await follow(api, ben, 'shared market');
    expect(theirs.marketId).toBe(marketId);
    expect((await scores(theirs.keywordId, ben)).total).toBe(0);
    const record = () =>
      api.ok('GET /keywords/{keywordId}', { params: { keywordId: theirs.keywordId } }, ben);
    expect(await record()).toMatchObject({ traffic: null, difficulty: null, opportunity: null });
    await insertHintEvidence(api, marketId, today, [['sh', 1]]);
    await scoreMarkets(api.services, [marketId]);
    expect((await scores(theirs.keywordId, ben)).total).toBe(0);
    await endFirstChecks(api, marketId, today);
    expect((await scores(theirs.keywordId, ben)).total).toBe(1);
    expect(await record()).toMatchObject({
      traffic: expect.any(Number),
      difficulty: expect.any(Number),
    });
  });

  it('of another workspace are not found; a read-only token can read its own', async () => {
    const { keywordId } = await follow(api, ann, 'mine alone');
    const ben = await api.signUp();
    expect(
      (await api.call('GET /keywords/{keywordId}/scores', { params: { keywordId } }, ben)).status,
    ).toBe(404);
    const token = await api.token(ann, { readOnly: true });
    expect(
      (await api.call('GET /keywords/{keywordId}/scores', { params: { keywordId } }, token)).body
        .items,
    ).toEqual([]);
  });

  it('are computed with the first results, and again when those are a week newer', async () => {
    const { marketId } = await follow(api, ann, 'evaluated');
    const count = async () =>
      Number(
        (await api.db.pool.query('select count(*) from scores where market_id = $1', [marketId]))
          .rows[0].count,
      );
    await scoreStaleMarkets(api.services);
    expect(await count()).toBe(0);
    const days = ['2026-11-08', '2026-11-14', '2026-11-15', '2026-11-16'];
    const counts: number[] = [];
    for (const day of days) {
      await insertSerp(api, marketId, day, tenApps('evaluated', { named: 2, ratingCount: 10 }));
      await scoreStaleMarkets(api.services);
      await scoreStaleMarkets(api.services);
      counts.push(await count());
    }
    expect(counts).toEqual([1, 1, 2, 2]);
  });

  it('are computed again for a market that is marked while it is scored', async () => {
    const { marketId } = await follow(api, ann, 'marked twice');
    const mark = () =>
      insertSerp(
        api,
        marketId,
        '2026-11-08',
        tenApps('marked twice', { named: 2, ratingCount: 9 }),
      );
    const { systemDb } = api.services;
    await mark();
    const scored = await listStaleScores(systemDb, 250);
    await api.db.pool.query('delete from serps where market_id = $1', [marketId]);
    await mark();
    await deleteStaleScores(systemDb, scored);
    expect((await listStaleScores(systemDb, 250)).map((row) => row.marketId)).toEqual([marketId]);
    await scoreStaleMarkets(api.services);
    expect(await listStaleScores(systemDb, 250)).toEqual([]);
  });
});

describe('recomputing', () => {
  const run = async (jobId: number) =>
    runBackgroundWork(
      registry,
      { ...api.services, listingCache: new ListingCache() },
      { kind: 'job', jobId },
      AbortSignal.timeout(30_000),
    );
  const accept = (body: object, credential: Parameters<TestApi['call']>[2] = ann) =>
    api.call('POST /scores/recompute', { body }, credential);

  it('scores the markets of the workspace or an app without store requests', async () => {
    const dora = await api.signUp();
    const [one, two, other] = [
      await follow(api, dora, 'recompute one'),
      await follow(api, dora, 'recompute two'),
      await follow(api, ann, 'not mine'),
    ];
    for (const { marketId } of [one, two, other])
      await insertSerp(api, marketId, today, tenApps('recompute', { named: 1, ratingCount: 77 }));
    const scored = async () =>
      (
        await api.db.pool.query(
          'select market_id as id from market_scores where market_id = any($1) order by 1',
          [[one.marketId, two.marketId, other.marketId]],
        )
      ).rows.map((row) => row.id);
    const forApp = await accept({ scope: { appId: one.appId } }, dora);
    expect([forApp.status, forApp.body.poll]).toEqual([202, `/apps/${one.appId}/opportunities`]);
    expect((await accept({ scope: { appId: one.appId } }, dora)).body.job).toMatchObject({
      id: forApp.body.job.id,
      deduped: true,
    });
    await run(forApp.body.job.id);
    expect(await scored()).toEqual([one.marketId]);
    const forAll = await accept({ formulaVersion: 2 }, dora);
    await run(forAll.body.job.id);
    expect(await scored()).toEqual([one.marketId, two.marketId]);
    expect(
      await api.ok('GET /jobs/{jobId}', { params: { jobId: forAll.body.job.id } }, dora),
    ).toMatchObject({
      kind: 'recompute',
      state: 'succeeded',
      progress: { done: 2, total: 2 },
      result: { path: '/apps' },
    });
    const rows = async () =>
      (await api.db.pool.query('select count(*) from scores')).rows[0].count as string;
    const before = await rows();
    await run((await accept({}, dora)).body.job.id);
    expect(await rows()).toBe(before);
    // A score of version 1 stays, and the next one is of version 2.
    const old = 'traffic.ios@1+difficulty.ios@1';
    await api.db.pool.query('update scores set formula = $1 where market_id = $2', [
      old,
      one.marketId,
    ]);
    const { rows: stored } = await api.db.pool.query<{ packed: Buffer }>(
      'select packed from market_provenance where market_id = $1',
      [one.marketId],
    );
    const provenance = unpackProvenance(stored[0]!.packed) as Record<string, unknown>;
    for (const name of ['ranges', 'difficulties', 'estimate']) delete provenance[name];
    // Rows from before the compact form have JSON.
    await api.db.pool.query(
      'update market_provenance set packed = null, provenance = $1 where market_id = $2',
      [JSON.stringify({ ...provenance, formula: old }), one.marketId],
    );
    await run((await accept({}, dora)).body.job.id);
    const { items } = await api.ok(
      'GET /keywords/{keywordId}/scores',
      { params: { keywordId: one.keywordId }, query: {} },
      dora,
    );
    expect(items.map((item) => item.provenance!.formula)).toEqual([
      'traffic.ios@2+difficulty.ios@2',
      old,
    ]);
    expect(items[0]!.provenance!.difficulties!.top5).not.toBeNull();
  });

  it('by a process of 0.4.0, which knows JSON only, loses no provenance', async () => {
    const { marketId, keywordId } = await follow(api, ann, 'scored by both releases');
    await insertSerp(
      api,
      marketId,
      today,
      tenApps('both releases', { named: 2, ratingCount: 900 }),
    );
    expect(await scoreMarkets(api.services, [marketId])).toBe(1);
    const [newest] = (await scores(keywordId)).items;
    const older = { ...newest!.provenance, formula: 'traffic.ios@1+difficulty.ios@1' };
    // The statements of 0.4.0: what is replaced moves, then the newer one is stored.
    await api.db.pool.query(
      `with added as (
         insert into scores (market_id, scored_at, observed_on, traffic, difficulty, formula)
         select market_id, scored_at, observed_on, traffic, difficulty, $2 from scores
         where market_id = $1 returning id
       ), moved as (
         insert into score_provenance (score_id, scored_on, provenance)
         select m.score_id, (m.scored_at at time zone 'UTC')::date, p.provenance
         from market_scores m join market_provenance p using (market_id) where m.market_id = $1
       ), newest as (
         update market_provenance set provenance = $3 where market_id = $1
       )
       update market_scores set score_id = added.id from added where market_id = $1`,
      [marketId, older.formula, JSON.stringify(older)],
    );
    const { rows } = await api.db.pool.query<{ provenance: object | null; packed: Buffer | null }>(
      `select n.provenance, n.packed from market_provenance n where n.market_id = $1
       union all
       select p.provenance, p.packed from score_provenance p join scores s on s.id = p.score_id
       where s.market_id = $1`,
      [marketId],
    );
    expect(rows[0]).toEqual({ provenance: older, packed: null });
    expect(rows).toHaveLength(2);
    expect(unpackProvenance(rows[1]!.packed!)).toMatchObject({
      formula: 'traffic.ios@2+difficulty.ios@2',
    });
    expect((await scores(keywordId)).items).toHaveLength(2);
  });

  it('is refused for foreign apps, unknown formulas and members, read-only tokens', async () => {
    const ben = await api.signUp();
    const theirs = await insertApp(api, ben);
    const token = await api.token(ann, { readOnly: true });
    const before = await describeTables(api);
    const responses = [
      await accept({ scope: { appId: theirs.id } }),
      await accept({ formulaVersion: 1 }),
      await accept({ formulaVersion: null }),
      await accept({ scope: 'everything' }),
      await accept({ scope: { appId: theirs.id, all: true } }),
      await accept({}, token),
    ];
    expect(responses.map((response) => response.status)).toEqual([404, 400, 400, 400, 400, 403]);
    expect(await describeTables(api, ['tokens'])).toEqual({ ...before, tokens: undefined });
  });
});

describe('opportunities', () => {
  let eve: Account;
  let appId: number;
  const ids: number[] = [];
  const list = (query: object = {}, account = eve) =>
    api.ok('GET /apps/{id}/opportunities', { params: { id: appId }, query }, account);

  beforeAll(async () => {
    eve = await api.signUp();
    appId = (await insertApp(api, eve)).id;
    const plans = [
      {
        phrase: 'easy and wanted',
        country: 'us',
        named: 0,
        ratingCount: 50,
        hints: [['e', 1]],
        position: null,
      },
      {
        phrase: 'hard and wanted',
        country: 'us',
        named: 10,
        ratingCount: 5_000_000,
        hints: [['h', 1]],
        position: 12,
      },
      {
        phrase: 'first already',
        country: 'de',
        named: 2,
        ratingCount: 500,
        hints: [['fi', 1]],
        position: 1,
      },
      {
        phrase: 'nobody asks',
        country: 'de',
        named: 0,
        ratingCount: 50,
        hints: [['nobody asks', null]],
        position: 40,
      },
    ] as const;
    for (const plan of plans) {
      const { keywordId, marketId } = await follow(api, eve, plan.phrase, {
        appId,
        country: plan.country,
      });
      await insertSerp(api, marketId, today, tenApps(plan.phrase, plan));
      await insertHintEvidence(
        api,
        marketId,
        today,
        plan.hints.map(([prefix, position]) => [prefix, position]),
      );
      await scoreMarkets(api.services, [marketId]);
      await setLatestPosition(api, keywordId, plan.position);
      ids.push(keywordId);
    }
    const unchecked = await follow(api, eve, 'never checked', { appId });
    await insertSerp(
      api,
      unchecked.marketId,
      today,
      tenApps('never checked', { named: 1, ratingCount: 10 }),
    );
    await scoreMarkets(api.services, [unchecked.marketId]);
    ids.push(unchecked.keywordId, (await follow(api, eve, 'never scored', { appId })).keywordId);
  });

  it('are listed best first with parts; keywords without data are counted', async () => {
    const { items, total, unscored, store } = await list();
    expect({ total, unscored, store }).toEqual({ total: 4, unscored: 2, store: 'ios' });
    expect(items[0]).toMatchObject({
      keywordId: ids[0],
      phrase: 'easy and wanted',
      country: 'us',
      components: { position: null, depth: 200, headroom: 100 },
    });
    expect(items[0]!.explanation).toContain('not found in the first 200');
    expect(items.map((item) => item.opportunity)).toEqual(
      items.map((item) => item.opportunity).toSorted((a, b) => b - a),
    );
    expect(items.find((item) => item.keywordId === ids[2])).toMatchObject({
      opportunity: 0,
      components: { position: 1, headroom: 0 },
    });
  });

  it('filter, sort and page', async () => {
    const keys = async (query: object) => (await list(query)).items.map((item) => item.keywordId);
    expect((await keys({ country: 'de' })).toSorted((a, b) => a - b)).toEqual([ids[2], ids[3]]);
    expect(await keys({ minTraffic: '50', maxDifficulty: '60', country: 'us' })).toEqual([ids[0]]);
    expect(await keys({ keywordIds: String(ids[1]) })).toEqual([ids[1]]);
    expect(await list({ keywordIds: String(ids.at(-1)) })).toMatchObject({
      items: [],
      total: 0,
      unscored: 1,
    });
    expect(await keys({ sort: 'position' })).toEqual([ids[2], ids[1], ids[3], ids[0]]);
    expect(await keys({ sort: '-position' })).toEqual([ids[3], ids[1], ids[2], ids[0]]);
    expect((await keys({ sort: '-difficulty' }))[0]).toBe(ids[1]);
    expect((await keys({ sort: 'traffic' }))[0]).toBe(ids[3]);
    const first = await list({ limit: '3' });
    const second = await list({ limit: '3', cursor: first.nextCursor! });
    expect([...first.items, ...second.items]).toEqual((await list()).items);
    expect(second.nextCursor).toBeNull();
    const other = await api.call(
      'GET /apps/{id}/opportunities',
      { params: { id: appId }, query: { cursor: first.nextCursor!, sort: 'traffic' } },
      eve,
    );
    expect(other.body.code).toBe('invalid_cursor');
    for (const query of [
      { minTraffic: '101' },
      { minTraffic: '-1' },
      { country: 'US' },
      { sort: 'name' },
      { compareStores: 'true' },
    ] as object[]) {
      expect(
        (await api.call('GET /apps/{id}/opportunities', { params: { id: appId }, query }, eve))
          .status,
      ).toBe(400);
    }
  });

  it('of another workspace’s app are not found', async () => {
    expect(
      (await api.call('GET /apps/{id}/opportunities', { params: { id: appId } }, ann)).status,
    ).toBe(404);
  });

  it('appear with each keyword and sort it; missing ones come last', async () => {
    const { items } = await list();
    const keywords = await api.ok(
      'GET /apps/{id}/keywords',
      { params: { id: appId }, query: { sort: '-opportunity', include: 'scores' } },
      eve,
    );
    const rows = keywords.items.map(({ id, traffic, difficulty, opportunity }) => ({
      id,
      traffic,
      difficulty,
      opportunity,
    }));
    expect(rows.slice(0, 4)).toEqual(
      items.map(({ keywordId, opportunity, components: { traffic, difficulty } }) => ({
        id: keywordId,
        traffic,
        difficulty,
        opportunity,
      })),
    );
    expect(rows.slice(4)).toMatchObject([
      { id: ids[4], traffic: expect.any(Number), opportunity: null },
      { id: ids[5], traffic: null, difficulty: null, opportunity: null },
    ]);
    for (const sort of [
      'traffic',
      '-traffic',
      'difficulty',
      '-difficulty',
      'opportunity',
    ] as const) {
      const sorted = (
        await api.ok('GET /apps/{id}/keywords', { params: { id: appId }, query: { sort } }, eve)
      ).items;
      const field = sort.replace('-', '') as 'traffic';
      const values = sorted.flatMap((keyword) => keyword[field] ?? []);
      expect(values).toEqual(values.toSorted((a, b) => (sort.startsWith('-') ? b - a : a - b)));
      expect(sorted.at(-1)!.id).toBe(ids[5]);
    }
    expect(
      await api.ok('GET /keywords/{keywordId}', { params: { keywordId: ids[0]! } }, eve),
    ).toMatchObject(rows[0]!);
  });
});

it('the formulas are described as they are computed', async () => {
  const { version, formulas } = await api.ok('GET /scores/formulas', null, ann);
  expect(version).toBe(2);
  expect(formulas.find((formula) => formula.id === 'traffic.ios@2')).toMatchObject({
    score: 'traffic',
    store: 'ios',
    weights: [
      { signal: 'early', weight: 0.28 },
      { signal: 'rank', weight: 0.3 },
      { signal: 'continuations', weight: 0.08 },
      { signal: 'length', weight: 0.14 },
      { signal: 'charts', weight: 0.08 },
      { signal: 'serp', weight: 0.12 },
    ],
  });
});
