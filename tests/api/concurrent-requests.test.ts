import { afterAll, beforeAll, expect, test } from 'vitest';
import { plans } from '#domain/base/plans/plans.ts';
import { startApi, type Account, type RawResponse, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { checkHistory, runHistory } from './history-imports.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi({ settings: { billingEnabled: true } });
  me = await api.signUp({ state: 'live' });
  await api.db.pool.query(`update workspaces set plan = 'indie' where id = $1`, [me.workspaceId]);
});
afterAll(() => api.close());

/** Sends requests while a transaction holds what they write, and commits once all of them wait. */
async function sendWhileHeld<T>(
  hold: [statement: string, values?: unknown[]],
  requests: (() => Promise<T>)[],
): Promise<T[]> {
  const client = await api.db.pool.connect();
  try {
    await client.query('begin');
    await client.query(...hold);
    let responded = 0;
    const sent = Promise.all(requests.map((send) => send().finally(() => (responded += 1))));
    sent.catch(() => undefined);
    const waiting =
      `select from pg_stat_activity where datname = current_database() ` +
      `and wait_event_type = 'Lock'`;
    await until(
      async () => responded > 0 || (await api.db.pool.query(waiting)).rowCount === requests.length,
      60_000,
      'all requests to wait',
    );
    await client.query('commit');
    return await sent;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const outcomesOf = (responses: RawResponse[]) =>
  responses.map(({ status, body }) => [status, body.issues?.[0].limit]).toSorted();

test('two tokens that are created together do not exceed the limit', async () => {
  const { rowCount } = await api.db.pool.query(
    `insert into tokens (workspace_id, user_id, name, prefix, secret_hash, read_only, created_at)
     select $1, $2, 'old', 'toprung_x', sha256(n::text::bytea), false, $3
     from generate_series(1, 99) as n`,
    [me.workspaceId, me.userId, api.clock.now()],
  );
  expect(rowCount).toBe(99);
  const create = () => api.call('POST /tokens', { body: { name: 'new' } }, me);
  const responses = await sendWhileHeld(['lock table tokens in share mode'], [create, create]);
  expect(outcomesOf(responses)).toEqual([
    [201, undefined],
    [400, 100],
  ]);
  await api.db.pool.query(`update tokens set expires_at = $1 where name = 'old'`, [
    api.clock.now(),
  ]);
  expect((await create()).status).toBe(201);
});

test('two webhooks that are registered together do not exceed the limit', async () => {
  const register = () =>
    api.call(
      'POST /webhooks',
      { body: { url: 'https://example.org/h', events: ['rank.dropped'] } },
      me,
    );
  expect((await register()).status).toBe(201);
  await api.db.pool.query(
    `insert into webhooks (workspace_id, url, kind, events, enabled, secret, secret_strength,
       created_at)
     select workspace_id, url, kind, events, enabled, secret, secret_strength, created_at
     from webhooks, generate_series(1, 48) where workspace_id = $1`,
    [me.workspaceId],
  );
  const responses = await sendWhileHeld(
    ['lock table webhooks in share mode'],
    [register, register],
  );
  expect(outcomesOf(responses)).toEqual([
    [201, undefined],
    [400, 50],
  ]);
});

test('apps that get keywords together do not exceed the first checks of the day', async () => {
  const hour = '2026-11-21T12:00:00Z';
  await api.db.pool.query(
    `insert into on_demand_hours (workspace_id, kind, hour, uses)
     values ($1, 'first-check', $2, $3)`,
    [me.workspaceId, hour, plans.indie.firstChecksPerDay - 1],
  );
  // Of two stores and countries, so that they share no other row.
  const apps = [await insertApp(api, me), await insertApp(api, me, { store: 'android' })];
  const responses = await sendWhileHeld(
    ['select from on_demand_hours where workspace_id = $1 for update', [me.workspaceId]],
    apps.map(
      ({ id }, index) =>
        () =>
          api.ok(
            'POST /apps/{id}/keywords',
            {
              params: { id },
              body: { phrases: [`together ${index}`], countries: [index ? 'de' : 'us'] },
            },
            me,
          ),
    ),
  );
  expect(responses.filter(({ job }) => job !== null)).toHaveLength(1);
  const { rows } = await api.db.pool.query(
    'select uses from on_demand_hours where workspace_id = $1',
    [me.workspaceId],
  );
  expect(rows).toEqual([{ uses: plans.indie.firstChecksPerDay }]);
});

test('a retry that meets the same work while it is accepted is refused', async () => {
  const insert = `insert into jobs (workspace_id, kind, dedupe_key, payload, total, state,
      queued_at)
    values ($1, 'actions', 'actions_2026-11-21', '{"day":"2026-11-21"}', 1, $2, $3) returning id`;
  const now = api.clock.now();
  const { rows } = await api.db.pool.query(insert, [me.workspaceId, 'failed', now]);
  const retry = () =>
    api.call('POST /jobs/{jobId}/retry', { params: { jobId: Number(rows[0].id) } }, me);
  const [response] = await sendWhileHeld([insert, [me.workspaceId, 'queued', now]], [retry]);
  expect([response!.status, response!.body.code, response!.body.issues[0]]).toMatchObject([
    400,
    'invalid_request',
    { path: 'params.jobId', message: 'the same work is already open as a newer job' },
  ]);
});

test.each<[string, (as: Account, appId: number) => Promise<RawResponse>]>([
  [
    'a view is saved',
    (as, appId) =>
      api.call(
        'POST /views',
        { body: { name: 'Mine', path: `/apps/${appId}/keywords`, pinned: false, appId } },
        as,
      ),
  ],
  [
    'reviews are requested',
    (as, id) => api.call('POST /apps/{id}/reviews/sync', { params: { id } }, as),
  ],
])('%s of an app that is deleted at the same time: it is not found', async (_, send) => {
  const who = await api.signUp();
  const { id } = await insertApp(api, who);
  const [response] = await sendWhileHeld(
    ['delete from apps where id = $1', [id]],
    [() => send(who, id)],
  );
  expect([response!.status, response!.body.code]).toEqual([404, 'not_found']);
});

const historyOf = (phrases: string[]) =>
  ['Keyword,Country,Date,Rank,Depth', ...phrases.map((phrase) => `${phrase},us,2026-10-01,7,50`)]
    .join('\n')
    .concat('\n');

interface Tracked {
  appId: number;
  ids: number[];
  phrases: string[];
}

test.each<[string, (as: Account, of: Tracked) => Promise<unknown>]>([
  [
    'several keywords are changed',
    (as, { appId: id, ids }) =>
      api.ok(
        'POST /apps/{id}/keywords/update',
        { params: { id }, body: { ids, set: { favorite: true } } },
        as,
      ),
  ],
  [
    'a tag is renamed',
    (as) =>
      api.ok('PATCH /tags/{name}', { params: { name: 'checked' }, body: { name: 'new' } }, as),
  ],
  [
    'a table of history is imported',
    (as, { appId, phrases }) =>
      api.ok(
        'POST /workspace/imports',
        {
          body: {
            format: 'csv',
            appId,
            text: historyOf(phrases),
            mapping: {
              phrase: 'Keyword',
              country: 'Country',
              date: 'Date',
              position: 'Rank',
              depth: 'Depth',
            },
          },
        },
        as,
      ),
  ],
  [
    'a file of history is imported',
    async (as, { appId, phrases }) => {
      const { importId } = await checkHistory(api, as, { appId, file: historyOf(phrases) });
      const { phase } = await runHistory(api, as, importId);
      expect(phase).toBe('imported');
    },
  ],
])('%s while the daily check writes to them in another order', async (_, send) => {
  const who = await api.signUp();
  const { id } = await insertApp(api, who);
  const keywords = ['one', 'two'].map((word) => ({
    phrase: `${word} of ${id}`,
    country: 'us',
    tags: ['checked'],
  }));
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id }, body: { keywords } },
    who,
  );
  const ids = added.map((keyword) => keyword.id).toSorted((a, b) => a - b);
  const check = await api.db.pool.connect();
  const write = (keywordId: number) =>
    check.query('update keywords set latest_position = 5 where id = $1', [keywordId]);
  try {
    await check.query('begin');
    await check.query(
      'select from market_schedule where market_id in (select market_id from keywords ' +
        'where id = any($1)) order by market_id for no key update',
      [ids],
    );
    await write(ids[1]!);
    const phrases = keywords.map(({ phrase }) => phrase);
    const sent = send(who, { appId: id, ids, phrases });
    sent.catch(() => undefined);
    await until(
      async () =>
        (
          await api.db.pool.query(
            'select from pg_stat_activity where datname = current_database() ' +
              "and wait_event_type = 'Lock'",
          )
        ).rowCount === 1,
      60_000,
      'the request to wait',
    );
    await write(ids[0]!);
    await check.query('commit');
    await sent;
  } finally {
    await check.query('rollback');
    check.release();
  }
});
