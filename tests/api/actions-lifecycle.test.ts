import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scheduleActionRuns } from '#domain/insights/actions/run-actions.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until as waitUntil } from '../harness/load-recorder.ts';
import {
  seedRankDrop,
  generate,
  run,
  insertPositions,
  trackApp,
  trackKeyword,
  work,
} from './actions.fixtures.ts';
import { describeTables, readWithOtherProvider } from './keywords.fixtures.ts';

keepOrder('the periodic task lists the workspaces that are due, to which other tests add');

let api: TestApi;
let me: Account;
/** A token outlives the weeks that pass here; a session does not. */
let caller: Credential;
let id: number;
let keyword: Awaited<ReturnType<typeof seedRankDrop>>['keyword'];
let app: Awaited<ReturnType<typeof seedRankDrop>>['app'];
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  api.clock.set('2026-11-21T12:00:00Z');
  me = await api.signUp();
  caller = await api.token(me);
  ({ keyword, app } = await seedRankDrop(api, me));
  await run(api, me);
  id = (await api.ok('GET /actions', null, me)).items[0]!.id;
});
afterAll(() => api.close());

const until = '2026-12-01T09:00:00Z';
const get = () => api.ok('GET /actions/{id}', { params: { id } }, caller);
const resolve = () => api.ok('POST /actions/{id}/resolve', { params: { id } }, caller);
const dismiss = (reason?: string) =>
  api.ok('POST /actions/{id}/dismiss', { params: { id }, body: { reason } }, caller);
const snooze = (at = until) =>
  api.ok('POST /actions/{id}/snooze', { params: { id }, body: { until: at } }, caller);
const reopen = () => api.ok('POST /actions/{id}/reopen', { params: { id } }, caller);
const eventCount = async () =>
  (await api.ok('GET /events', { query: { type: 'action.opened' } }, caller)).total;

describe('updating an action', () => {
  test('records who, when and why; a repeated update changes nothing', async () => {
    const by = { resolvedAt: '2026-11-21T12:00:00.000Z', resolvedBy: `user:${me.userId}` };
    const moves = [
      {
        move: snooze,
        shows: {
          state: 'snoozed',
          snoozedUntil: '2026-12-01T09:00:00.000Z',
          resolvedAt: null,
          resolvedBy: null,
        },
      },
      {
        move: reopen,
        shows: { state: 'open', snoozedUntil: null, resolvedAt: null, resolvedBy: null },
      },
      {
        move: () => dismiss('known'),
        shows: { state: 'dismissed', ...by, dismissReason: 'known' },
      },
      { move: resolve, shows: { state: 'resolved', ...by, dismissReason: null } },
      { move: reopen, shows: { state: 'open', resolvedAt: null, resolvedBy: null } },
    ];
    for (const { move, shows } of moves) {
      const moved = await move();
      expect(moved).toMatchObject(shows);
      const before = await describeTables(api, ['tokens']);
      expect(await move()).toEqual(moved);
      expect(await describeTables(api, ['tokens'])).toEqual(before);
      expect(await get()).toMatchObject(moved);
    }
  });

  test('keeps the first reason when dismissed again', async () => {
    await dismiss('first');
    expect((await dismiss('second')).dismissReason).toBe('first');
  });

  test('moves the end of a snooze when snoozed again', async () => {
    await snooze();
    expect((await snooze('2026-12-05T00:00:00Z')).snoozedUntil).toBe('2026-12-05T00:00:00.000Z');
  });

  test('keeps a dismissed action away until its evidence changes', async () => {
    await dismiss();
    await generate(api, me);
    expect((await api.ok('GET /actions', null, me)).total).toBe(1);
    expect((await get()).state).toBe('dismissed');
    await insertPositions(api, keyword, [150, 150]);
    await generate(api, me);
    const { items } = await api.ok('GET /actions', null, me);
    expect(items.map((item) => [item.state, item.id > id])).toEqual([
      ['open', true],
      ['dismissed', false],
    ]);
    expect(await eventCount()).toBe(2);
  });

  test('keeps both away when the evidence alternates between two dismissed ones', async () => {
    const fall = async (position: number, day: string) => {
      api.clock.set(`${day}T12:00:00Z`);
      await insertPositions(api, keyword, [position, position], day);
      await generate(api, me);
    };
    await dismiss();
    await fall(60, '2026-11-22');
    const [second] = (await api.ok('GET /actions', null, caller)).items;
    await api.ok('POST /actions/{id}/dismiss', { params: { id: second!.id }, body: {} }, caller);
    for (const [index, position] of [21, 60, 21, 60].entries())
      await fall(position, `2026-11-${23 + index}`);
    const { items } = await api.ok('GET /actions', null, caller);
    expect(items.map((item) => [item.id, item.state, item.seenAt])).toEqual([
      [second!.id, 'dismissed', '2026-11-26T12:00:00.000Z'],
      [id, 'dismissed', '2026-11-25T12:00:00.000Z'],
    ]);
    expect(await eventCount()).toBe(2);
  });

  test('does not reopen an action that a person resolved', async () => {
    await resolve();
    for (const day of ['2026-11-22', '2026-11-23']) {
      api.clock.set(`${day}T12:00:00Z`);
      await insertPositions(api, keyword, [21, 21], day);
      await generate(api, me);
    }
    expect(await get()).toMatchObject({
      state: 'resolved',
      resolvedBy: `user:${me.userId}`,
      seenAt: '2026-11-23T12:00:00.000Z',
    });
    expect((await api.ok('GET /actions', null, me)).total).toBe(1);
  });

  test('updates a snoozed action, and resolves it when its cause is gone', async () => {
    await snooze();
    await insertPositions(api, keyword, [30, 30]);
    await generate(api, me);
    expect(await get()).toMatchObject({
      state: 'snoozed',
      title: '“habit tracker” (US) fell from 8 to 30',
    });
    await insertPositions(api, keyword, [8, 8]);
    await generate(api, me);
    expect(await get()).toMatchObject({
      state: 'resolved',
      resolvedBy: 'gone',
      snoozedUntil: null,
    });
  });

  test('refuses to reopen an action whose successor is open', async () => {
    await dismiss();
    await insertPositions(api, keyword, [150, 150]);
    await generate(api, me);
    const response = await api.call('POST /actions/{id}/reopen', { params: { id } }, me);
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    expect(response.body.message).toContain('already open as action');
    expect((await get()).state).toBe('dismissed');
  });

  test('updates an older action that was reopened in place of its closed successor', async () => {
    await dismiss();
    await insertPositions(api, keyword, [150, 150]);
    await generate(api, me);
    const [successor] = (await api.ok('GET /actions', null, me)).items;
    await api.ok('POST /actions/{id}/dismiss', { params: { id: successor!.id }, body: {} }, me);
    await reopen();
    await insertPositions(api, keyword, [80, 80]);
    await generate(api, me);
    expect(await get()).toMatchObject({
      state: 'open',
      title: '“habit tracker” (US) fell from 8 to 80',
    });
    expect((await api.ok('GET /actions', null, me)).total).toBe(2);
  });

  test('refuses to snooze a resolved or dismissed action', async () => {
    await resolve();
    const response = await api.call(
      'POST /actions/{id}/snooze',
      { params: { id }, body: { until } },
      me,
    );
    expect([response.status, response.body.issues[0].path]).toEqual([400, 'params.id']);
  });
});

describe('an update during a generation', () => {
  /** Updates while the generation has read all actions and waits for one to write. */
  async function duringGeneration<T>(update: () => Promise<T>): Promise<T> {
    const client = await api.db.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from actions where id = $1 for update', [id]);
      let isUpdated = false;
      const isWaiting = async (count: number) =>
        (
          await api.db.pool.query(
            'select from pg_stat_activity where datname = current_database() and ' +
              `wait_event_type = 'Lock'`,
          )
        ).rowCount === count;
      const generating = generate(api, me);
      await waitUntil(() => isWaiting(1), 60_000, 'the generation to wait');
      const updating = update().finally(() => (isUpdated = true));
      updating.catch(() => undefined);
      await waitUntil(async () => isUpdated || isWaiting(2), 60_000, 'the update to wait');
      await client.query('commit');
      await generating;
      return await updating;
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  let goneId: number;
  beforeEach(async () => {
    const more = await trackKeyword(api, me, app, { phrase: 'mood journal', traffic: 63 });
    await insertPositions(api, more, [8, 8, 8, 8, 8, 8, 8, 8, 21, 21]);
    await generate(api, me);
    goneId = (await api.ok('GET /actions', null, me)).items[0]!.id;
    await insertPositions(api, more, [8, 8]);
  });

  test('is kept: dismissed', async () => {
    await duringGeneration(() =>
      api.ok('POST /actions/{id}/dismiss', { params: { id: goneId }, body: {} }, me),
    );
    expect(await api.ok('GET /actions/{id}', { params: { id: goneId } }, me)).toMatchObject({
      state: 'dismissed',
      resolvedBy: `user:${me.userId}`,
    });
  });

  test('is kept: dismissed in bulk', async () => {
    await duringGeneration(() =>
      api.ok('POST /actions/bulk', { body: { ids: [goneId], op: 'dismiss' } }, me),
    );
    expect(await api.ok('GET /actions/{id}', { params: { id: goneId } }, me)).toMatchObject({
      state: 'dismissed',
      resolvedBy: `user:${me.userId}`,
    });
  });

  test('cannot snooze what the generation has resolved', async () => {
    const { status } = await duringGeneration(() =>
      api.call('POST /actions/{id}/snooze', { params: { id: goneId }, body: { until } }, me),
    );
    expect(status).toBe(400);
    expect(await api.ok('GET /actions/{id}', { params: { id: goneId } }, me)).toMatchObject({
      state: 'resolved',
      resolvedBy: 'gone',
    });
  });
});

describe('malformed requests are refused and write nothing:', () => {
  const long = 'x'.repeat(501);
  test.each<[string, string, unknown]>([
    ['snooze', 'now', { until: '2026-11-21T12:00:00Z' }],
    ['snooze', 'the past', { until: '2020-01-01T00:00:00Z' }],
    ['snooze', 'after 366 days', { until: '2027-11-22T12:00:01Z' }],
    ['snooze', 'a day', { until: '2026-12-01' }],
    ['snooze', 'no instant', { until: '2026-02-30T00:00:00Z' }],
    ['snooze', 'a number', { until: 1_800_000_000 }],
    ['snooze', 'nothing', {}],
    ['snooze', 'null', null],
    ['dismiss', 'a long reason', { reason: long }],
    ['dismiss', 'an empty reason', { reason: '  ' }],
    ['dismiss', 'a reason with NUL', { reason: 'a\0b' }],
    ['dismiss', 'half a surrogate pair', '{"reason":"\\ud800"}'],
    ['dismiss', 'another member', { because: 'x' }],
    ['resolve', 'a body', { ids: [1] }],
    ['bulk', 'no ids', { ids: [], op: 'resolve' }],
    [
      'bulk',
      '201 ids',
      { ids: Array.from({ length: 201 }, (_, index) => index + 1), op: 'resolve' },
    ],
    ['bulk', 'an id of 0', { ids: [0], op: 'resolve' }],
    ['bulk', 'a text for an id', { ids: ['1'], op: 'resolve' }],
    ['bulk', 'an id too large', { ids: [2 ** 53], op: 'resolve' }],
    ['bulk', 'an unknown move', { ids: [1], op: 'delete' }],
    ['bulk', 'snoozing without an end', { ids: [1], op: 'snooze' }],
    ['bulk', 'resolving with an end', { ids: [1], op: 'resolve', until }],
    ['bulk', 'snoozing into the past', { ids: [1], op: 'snooze', until: '2020-01-01T00:00:00Z' }],
    ['run', 'a body', { force: true }],
  ])('%s: %s', async (move, _, body) => {
    const path = move === 'bulk' || move === 'run' ? `/actions/${move}` : `/actions/${id}/${move}`;
    const before = await describeTables(api);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await api.raw(
      path,
      { method: 'POST', body: text, headers: { 'content-type': 'application/json' } },
      me,
    );
    expect(response.status).toBe(400);
    expect(response.body.issues.length).toBeGreaterThan(0);
    expect(await describeTables(api)).toEqual(before);
  });

  test.each(['0', 'x', '1e3', '9007199254740992', '-1'])(
    'an id of %s in the path',
    async (text) => {
      expect((await api.raw(`/actions/${text}`, {}, me)).status).toBe(400);
    },
  );
});

describe('bulk updates', () => {
  async function openMore(): Promise<number[]> {
    for (const phrase of ['mood journal', 'daily goals']) {
      const more = await trackKeyword(api, me, app, { phrase, traffic: 63 });
      await insertPositions(api, more, [8, 8, 8, 8, 8, 8, 8, 8, 21, 21]);
    }
    await generate(api, me);
    return (await api.ok('GET /actions', null, me)).items.map((item) => item.id);
  }

  test('return how many actions changed, without those already in that state', async () => {
    const ids = await openMore();
    const bulk = (body: object) => api.ok('POST /actions/bulk', { body: body as never }, me);
    expect(await bulk({ ids: [...ids, ...ids], op: 'snooze', until })).toEqual({ updated: 3 });
    expect(await bulk({ ids, op: 'snooze', until })).toEqual({ updated: 0 });
    expect(await bulk({ ids: ids.slice(0, 2), op: 'dismiss', reason: 'not ours' })).toEqual({
      updated: 2,
    });
    expect(await bulk({ ids, op: 'dismiss' })).toEqual({ updated: 1 });
    expect(await bulk({ ids, op: 'resolve' })).toEqual({ updated: 3 });
    expect(await bulk({ ids, op: 'reopen' })).toEqual({ updated: 3 });
    expect((await api.ok('GET /actions', { query: { state: 'open' } }, me)).total).toBe(3);
  });

  test('change nothing if one id is unknown or cannot be updated', async () => {
    const ids = await openMore();
    await api.ok('POST /actions/{id}/resolve', { params: { id: ids[2]! } }, me);
    const before = await describeTables(api);
    const missing = await api.call(
      'POST /actions/bulk',
      { body: { ids: [...ids, 2_147_483_000], op: 'dismiss' } },
      me,
    );
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
    const ended = await api.call('POST /actions/bulk', { body: { ids, op: 'snooze', until } }, me);
    expect([ended.status, ended.body.code]).toEqual([400, 'invalid_request']);
    expect(await describeTables(api)).toEqual(before);
  });

  test('do not reopen two actions with the same key', async () => {
    await dismiss();
    await insertPositions(api, keyword, [150, 150]);
    await generate(api, me);
    const ids = (await api.ok('GET /actions', null, me)).items.map((item) => item.id);
    await api.ok('POST /actions/bulk', { body: { ids, op: 'resolve' } }, me);
    const response = await api.call('POST /actions/bulk', { body: { ids, op: 'reopen' } }, me);
    expect([response.status, response.body.code]).toEqual([400, 'invalid_request']);
    expect((await api.ok('GET /actions', { query: { state: 'open' } }, me)).total).toBe(0);
  });

  test('end in one of the requested states when several run at once', async () => {
    await Promise.all([resolve(), dismiss(), reopen(), resolve()]);
    expect(['open', 'resolved', 'dismissed']).toContain((await get()).state);
    expect(await eventCount()).toBe(1);
  });
});

describe('the periodic task for actions', () => {
  const setRun = (date: string, finishedAt: string | null) =>
    api.db.pool.query(
      'insert into runs (date, opened_at, finished_at, state) values ($1::date, $1::date, ' +
        `$2::timestamptz, 'running') on conflict (date) do update set finished_at = $2`,
      [date, finishedAt],
    );
  const jobs = async (account: Credential = caller) =>
    (await api.ok('GET /jobs', { query: { kind: 'actions-run' } as never }, account)).items;

  test('reopens snoozed actions when their time is over, without an event', async () => {
    await snooze();
    api.clock.set('2026-12-01T08:59:59Z');
    await scheduleActionRuns(api.services);
    expect((await get()).state).toBe('snoozed');
    api.clock.set(until);
    await scheduleActionRuns(api.services);
    expect(await get()).toMatchObject({ state: 'open', snoozedUntil: null });
    expect(await eventCount()).toBe(1);
  });

  test('reopens no snoozed action with a clock that is days ahead for a moment', async () => {
    await snooze();
    const openedAt = Date.parse('2026-12-02T00:00:00Z');
    for (const date of ['2026-11-21', '2026-12-02']) await setRun(date, null);
    const states: string[] = [];
    for (const minutes of [59, 60]) {
      api.clock.set(new Date(openedAt + minutes * 60_000));
      await scheduleActionRuns(api.services);
      states.push((await get()).state);
    }
    await api.db.pool.query('delete from runs');
    expect(states).toEqual(['snoozed', 'open']);
  });

  test('leaves a snoozed action that is being updated for its next tick', async () => {
    await snooze();
    api.clock.set(until);
    const client = await api.db.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from actions where id = $1 for update', [id]);
      await scheduleActionRuns(api.services);
      await client.query('commit');
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect((await get()).state).toBe('snoozed');
    await scheduleActionRuns(api.services);
    expect((await get()).state).toBe('open');
  });

  test('generates actions once a day, after all checks of the workspace are done', async () => {
    api.clock.set('2026-11-22T12:00:00Z');
    await scheduleActionRuns(api.services);
    expect(await jobs()).toHaveLength(1);
    await setRun('2026-11-22', null);
    await scheduleActionRuns(api.services);
    expect(await jobs()).toHaveLength(1);
    await api.db.pool.query(
      `update market_schedule set completed_on = '2026-11-22' where market_id = $1`,
      [keyword.marketId],
    );
    await scheduleActionRuns(api.services);
    const [job] = await jobs();
    expect(await jobs()).toHaveLength(2);
    await work(api, job!.id);
    await scheduleActionRuns(api.services);
    await Promise.all([scheduleActionRuns(api.services), scheduleActionRuns(api.services)]);
    expect((await jobs()).map((one) => [one.id, one.state])).toContainEqual([job!.id, 'succeeded']);
    expect(await jobs()).toHaveLength(2);
    expect((await api.ok('POST /actions/run', null, caller)).job.deduped).toBe(true);
    await api.db.pool.query('delete from runs');
  });

  test('does not wait for listings whose refresh is shed', async () => {
    api.clock.set('2026-11-22T12:00:00Z');
    await setRun('2026-11-22', null);
    await api.db.pool.query(
      `update market_schedule set completed_on = '2026-11-22' where market_id = $1`,
      [keyword.marketId],
    );
    await api.db.pool.query(
      `insert into listing_schedule (listing_id, country, store)
       select listing_id, primary_country, 'ios' from apps where id = $1
       on conflict do nothing`,
      [app.id],
    );
    const shed = (kinds: string[]) =>
      api.db.pool.query('update runs set shed = $1', [JSON.stringify({ ios: kinds })]);
    for (const kinds of [[], ['hints']]) {
      await shed(kinds);
      await scheduleActionRuns(api.services);
      expect(await jobs()).toHaveLength(1);
    }
    await shed(['hints', 'refresh']);
    await scheduleActionRuns(api.services);
    expect(await jobs()).toHaveLength(2);
    await api.db.pool.query('delete from runs; delete from listing_schedule');
  });

  test('waits for nothing in the last hour of the day', async () => {
    await setRun('2026-11-22', null);
    await api.db.pool.query(
      `update market_schedule set completed_on = '2026-11-21' where market_id = $1`,
      [keyword.marketId],
    );
    const jobsAt = async (time: string) => {
      api.clock.set(`2026-11-22T${time}Z`);
      await scheduleActionRuns(api.services);
      return (await jobs()).length;
    };
    expect(await jobsAt('22:59:59')).toBe(1);
    // A run that begins late has an hour, as far as the day has one.
    await api.db.pool.query(`update runs set opened_at = '2026-11-22T22:30:00Z'`);
    expect(await jobsAt('23:00:00')).toBe(1);
    expect(await jobsAt('23:30:00')).toBe(2);
    await api.db.pool.query('delete from runs');
  });

  test('waits for a run of the last hour until the last minutes', async () => {
    await setRun('2026-11-22', null);
    await api.db.pool.query(
      `with run as (update runs set opened_at = '2026-11-22T23:00:00Z')
       update market_schedule set completed_on = '2026-11-21' where market_id = $1`,
      [keyword.marketId],
    );
    for (const [time, expected] of [
      ['23:44:59', 1],
      ['23:45:00', 2],
    ] as const) {
      api.clock.set(`2026-11-22T${time}Z`);
      await scheduleActionRuns(api.services);
      expect(await jobs()).toHaveLength(expected);
    }
    await api.db.pool.query('delete from runs');
  });

  test('generates again under the same job if somebody did so before the checks', async () => {
    const [before] = await jobs();
    expect(before!.state).toBe('succeeded');
    await setRun('2026-11-21', '2026-11-21T11:00:00Z');
    await scheduleActionRuns(api.services);
    expect((await jobs()).map(({ id: jobId, state }) => [jobId, state])).toEqual([
      [before!.id, 'queued'],
    ]);
    await work(api, before!.id);
    await scheduleActionRuns(api.services);
    expect((await jobs()).map(({ id: jobId, state }) => [jobId, state])).toEqual([
      [before!.id, 'succeeded'],
    ]);
    await api.db.pool.query('delete from runs');
  });

  test('does not generate twice after a retried job of the day before', async () => {
    const [yesterdays] = await jobs();
    await api.db.pool.query(`update jobs set state = 'failed' where id = $1`, [yesterdays!.id]);
    api.clock.set('2026-11-22T12:00:00Z');
    await work(api, (await api.ok('POST /actions/run', null, caller)).job.id);
    await api.ok('POST /jobs/{jobId}/retry', { params: { jobId: yesterdays!.id } }, caller);
    await setRun('2026-11-22', '2026-11-22T11:00:00Z');
    await scheduleActionRuns(api.services);
    expect((await jobs()).map((job) => job.state)).toEqual(['succeeded', 'queued']);
    await api.db.pool.query('delete from runs');
  });

  test('skips suspended workspaces', async () => {
    const other = await api.signUp({ state: 'suspended' });
    await trackApp(api, other);
    await setRun('2026-11-21', '2026-11-21T11:00:00Z');
    await scheduleActionRuns(api.services);
    expect(await jobs(other)).toEqual([]);
    await api.db.pool.query('delete from runs');
  });
});

describe('the measured effect of an action', () => {
  /** Positions before the 21st and after it, by day. */
  async function stand(
    which: Parameters<typeof insertPositions>[1],
    before: (number | null | undefined)[],
    after: (number | null | undefined)[],
  ): Promise<void> {
    await insertPositions(api, which, before, '2026-11-20');
    await insertPositions(api, which, after, '2026-12-05');
  }
  const days = (position: number | null | undefined, count = 14) =>
    Array.from({ length: count }, () => position);

  test('compares with unaffected keywords after 14 days', async () => {
    const calm = await trackKeyword(api, me, app, { phrase: 'mood journal' });
    const lost = await trackKeyword(api, me, app, { phrase: 'daily goals' });
    await stand(keyword, days(20), [...days(undefined, 7), ...days(12, 7)]);
    await stand(calm, days(30), days(29));
    await stand(lost, days(40), days(null));
    await resolve();
    expect(await get()).toMatchObject({
      outcome: null,
      outcomeReason: 'too_early',
      measurableFrom: '2026-12-06',
    });
    api.clock.set('2026-12-05T23:59:59Z');
    expect((await get()).outcomeReason).toBe('too_early');
    api.clock.set('2026-12-06T00:00:00Z');
    expect(await get()).toMatchObject({
      outcomeReason: null,
      measurableFrom: '2026-12-06',
      outcome: {
        windowDays: 14,
        keywords: {
          keywords: 1,
          n: 1,
          before: { from: '2026-11-07', to: '2026-11-20', averagePosition: 20, coverage: 1 },
          after: { from: '2026-11-22', to: '2026-12-05', averagePosition: 12, coverage: 0.5 },
          positionsGained: 8,
        },
        untouched: {
          keywords: 2,
          n: 1,
          positionsGained: 1,
          before: { averagePosition: 30, coverage: 1 },
          after: { averagePosition: 29, coverage: 1 },
        },
        positionsGainedBeyond: 7,
      },
    });
    const { outcome } = await readWithOtherProvider(api, '2026-11-22', get);
    expect(outcome!.keywords).toMatchObject({
      n: 0,
      before: { averagePosition: null, coverage: 1 },
      after: { coverage: 0.5 },
    });
  });

  test('compares nothing without unaffected keywords', async () => {
    await stand(keyword, days(20), days(18));
    await resolve();
    api.clock.set('2026-12-06T00:00:00Z');
    expect((await get()).outcome).toMatchObject({
      keywords: { positionsGained: 2 },
      untouched: {
        keywords: 0,
        n: 0,
        positionsGained: null,
        before: { averagePosition: null, coverage: null },
      },
      positionsGainedBeyond: null,
    });
  });

  test('gives the reason when there is no result', async () => {
    const none = { outcome: null, measurableFrom: null };
    expect(await get()).toMatchObject({ ...none, outcomeReason: 'not_resolved' });
    await dismiss();
    expect(await get()).toMatchObject({ ...none, outcomeReason: 'not_resolved' });
    await resolve();
    await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: keyword.id } }, me);
    expect(await get()).toMatchObject({ ...none, outcomeReason: 'no_keywords' });
  });
});
