import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '#api/routes/index.ts';
import { eventSamples } from '#contract/events.ts';
import { operationList, type OperationKey } from '#contract/index.ts';
import { inWorkspace, openDatabase, openReadDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { inSystem } from '#domain/base/context.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { silentLogger } from '#lib/logger.ts';
import {
  isMetered,
  startApi,
  type Account,
  type Credential,
  type RawResponse,
  type TestApi,
} from '../harness/api.ts';
import { readAt } from './changes.fixtures.ts';
import { requestFiles } from './exports.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { insertReviews } from './reviews.fixtures.ts';

interface Tenant extends Account {
  appId: number;
  keywordIds: number[];
  tokenId: number;
  inviteId: number;
  jobId: number;
  reviewId: number;
  webhookId: number;
  deliveryId: number;
  annotationId: number;
  draftId: number;
  viewId: number;
  reportId: number;
  snapshotId: number;
  changeId: number;
  actionId: number;
  exportId: number;
  importId: number;
  historyImportId: number;
  marker: string;
  credentials: Record<'session' | 'token' | 'read-only token', Credential>;
}

const absent = 2_147_483_000;
const phrases = ['photo editor', 'puzzle game', 'sleep sounds'];
let api: TestApi;
let ann: Tenant;
let bob: Tenant;

/** Both track the same listing in the same markets; only their own texts differ. */
async function createTenant(on: TestApi, marker: string): Promise<Tenant> {
  const account = await on.signUp();
  const app = await insertApp(on, account, { storeAppId: '1234567890' });
  const added = await on.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body: { phrases, countries: ['us', 'de'], tags: [marker] } },
    account,
  );
  await on.ok(
    'PATCH /apps/{id}',
    { params: { id: app.id }, body: { displayName: marker, note: marker, tags: [marker] } },
    account,
  );
  const keywordIds = added.added.map((keyword) => keyword.id);
  await on.ok(
    'PATCH /keywords/{keywordId}',
    { params: { keywordId: keywordIds[0]! }, body: { note: marker } },
    account,
  );
  await on.ok('PATCH /workspace', { body: { name: marker } }, account);
  const [reviewId = 0] = await insertReviews(on, await insertApp(on, account), [{ body: marker }]);
  await on.ok(
    'PATCH /reviews/{reviewId}',
    { params: { reviewId }, body: { note: marker, tags: [marker] } },
    account,
  );
  const token = await on.token(account);
  await on.ok('PATCH /tokens/{id}', { params: { id: token.id }, body: { name: marker } }, account);
  const { id: inviteId } = await on.ok(
    'POST /workspace/invites',
    { body: { email: `guest-${account.userId}@example.org` } },
    account,
  );
  const reader = await on.token(account, { readOnly: true });
  // The first use of a token is written; later ones in that minute are not.
  for (const credential of [token, reader]) await on.ok('GET /workspace', null, credential);
  const credentials = { session: account, token, 'read-only token': reader };
  return {
    ...account,
    appId: app.id,
    keywordIds,
    tokenId: token.id,
    inviteId,
    jobId: added.job!.id,
    reviewId,
    ...(await addWebhook(on, account, marker)),
    ...(await changeListing(on, account, { appId: app.id, marker })),
    ...(await requestFiles(on, account)),
    historyImportId: (
      await on.ok('POST /history-imports', { body: { appId: app.id, fileName: marker } }, account)
    ).id,
    actionId: await openAction(on, account, { appId: app.id, marker }),
    marker,
    credentials,
  };
}

/** An annotation, a saved view, and a listing that nobody else tracks, fetched twice. */
async function changeListing(
  on: TestApi,
  account: Account,
  { appId, marker }: { appId: number; marker: string },
): Promise<{
  annotationId: number;
  draftId: number;
  viewId: number;
  reportId: number;
  snapshotId: number;
  changeId: number;
}> {
  const note = { params: { id: appId }, body: { date: '2026-11-20', text: marker } };
  const { id: annotationId } = await on.ok('POST /apps/{id}/annotations', note, account);
  const view = { body: { name: marker, path: `/apps/${appId}`, appId } };
  const { id: viewId } = await on.ok('POST /views', view, account);
  const report = { body: { name: marker, appId } };
  const { id: reportId } = await on.ok('POST /reports', report, account);
  const { id: draftId } = await on.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id: appId }, body: { name: marker } },
    account,
  );
  const { id } = await insertApp(on, account, { storeAppId: marker });
  await readAt(on, marker, '2026-11-21T12:00:01Z');
  const { snapshot } = await readAt(on, marker, '2026-11-21T12:00:02Z', { name: marker });
  const { items } = await on.ok('GET /apps/{id}/changes', { params: { id } }, account);
  return {
    annotationId,
    draftId,
    viewId,
    reportId,
    snapshotId: snapshot.id,
    changeId: items[0]!.id,
  };
}

/** The rows of a generation of actions with findings. */
async function openAction(
  on: TestApi,
  account: Account,
  { appId, marker }: { appId: number; marker: string },
): Promise<number> {
  const { rows } = await on.db.pool.query(
    `insert into actions (workspace_id, app_id, type, key, fingerprint, severity, title, reason,
       evidence, opened_at, seen_at)
     values ($1, $2, 'rank-drop', $3, $3, 'low', $3, $3, '{}', now(), now())
     returning id::float8 as id`,
    [account.workspaceId, appId, marker],
  );
  return rows[0].id as number;
}

/** A webhook with a delivery of an event. */
async function addWebhook(
  on: TestApi,
  account: Account,
  marker: string,
): Promise<{ webhookId: number; deliveryId: number }> {
  const { id } = await on.ok(
    'POST /webhooks',
    {
      body: {
        url: `https://93.184.215.14/${marker}`,
        events: ['action.opened'],
        description: marker,
      },
    },
    account,
  );
  const data = { ...eventSamples['action.opened'], title: marker };
  const fact = {
    workspaceId: account.workspaceId,
    type: 'action.opened' as const,
    key: marker,
    appId: null,
    occurredAt: on.clock.now(),
    data,
  };
  await inSystem(on.services, (tx) => emitEvents(tx, on.services, [fact]));
  const { items } = await on.ok('GET /webhooks/{id}/deliveries', { params: { id } }, account);
  return { webhookId: id, deliveryId: items[0]!.id };
}

beforeAll(async () => {
  api = await startApi();
  ann = await createTenant(api, 'marker-ann');
  bob = await createTenant(api, 'marker-bob');
  await vi.waitUntil(
    async () =>
      (await api.db.pool.query('select from tokens where last_used_at is null')).rows.length === 0,
    { timeout: 60_000 },
  );
});
afterAll(() => api.close());

/** The owner of each id in a path. A new noun with an id needs a line here. */
const idsIn: [RegExp, (tenant: Tenant) => number][] = [
  [/^\/apps\/\{id\}/, (tenant) => tenant.appId],
  [/^\/keywords\/\{keywordId\}/, (tenant) => tenant.keywordIds[0]!],
  [/^\/admin\/workspaces\/\{id\}/, (tenant) => tenant.workspaceId],
  [/^\/workspace\/members\/\{id\}/, (tenant) => tenant.userId],
  [/^\/workspace\/invites\/\{id\}/, (tenant) => tenant.inviteId],
  [/^\/tokens\/\{id\}/, (tenant) => tenant.tokenId],
  [/^\/auth\/sessions\/\{id\}/, (tenant) => tenant.sessionId],
  [/^\/jobs\/\{jobId\}/, (tenant) => tenant.jobId],
  [/^\/webhooks\/\{id\}/, (tenant) => tenant.webhookId],
  [/^\/webhooks\/deliveries\/\{deliveryId\}/, (tenant) => tenant.deliveryId],
  [/^\/reviews\/\{reviewId\}/, (tenant) => tenant.reviewId],
  [/^\/annotations\/\{id\}/, (tenant) => tenant.annotationId],
  [/^\/listing-drafts\/\{id\}/, (tenant) => tenant.draftId],
  [/^\/views\/\{id\}/, (tenant) => tenant.viewId],
  [/^\/reports\/\{id\}/, (tenant) => tenant.reportId],
  [/^\/snapshots\/\{id\}/, (tenant) => tenant.snapshotId],
  [/^\/changes\/\{id\}/, (tenant) => tenant.changeId],
  [/^\/actions\/\{id\}/, (tenant) => tenant.actionId],
  [/^\/workspace\/exports\/\{exportId\}/, (tenant) => tenant.exportId],
  [/^\/workspace\/imports\/\{importId\}/, (tenant) => tenant.importId],
  [/^\/history-imports\/\{importId\}/, (tenant) => tenant.historyImportId],
];

/** The input that an operation needs besides the id, to get as far as looking it up. */
const needed: Partial<Record<OperationKey, { body?: unknown; query?: string }>> = {
  'PATCH /apps/{id}': { body: { note: 'mine now' } },
  'PATCH /workspace/members/{id}': { body: { role: 'member' } },
  'PATCH /tokens/{id}': { body: { name: 'mine now' } },
  'PATCH /webhooks/{id}': { body: { description: 'mine now' } },
  'POST /webhooks/{id}/secret': { body: {} },
  'POST /webhooks/{id}/test': { body: {} },
  'POST /webhooks/{id}/redeliver': { body: { from: '2026-11-01T00:00:00Z' } },
  'PATCH /reviews/{reviewId}': { body: { note: 'mine now' } },
  'PATCH /keywords/{keywordId}': { body: { note: 'mine now' } },
  'POST /apps/{id}/keywords': { body: { keywords: [{ phrase: 'new words', country: 'us' }] } },
  'POST /apps/{id}/keywords/preview': {
    body: { keywords: [{ phrase: 'new words', country: 'us' }] },
  },
  'POST /apps/{id}/keywords/import': {
    body: { format: 'csv', text: 'phrase,country\nnew words,us' },
  },
  'POST /apps/{id}/keywords/copy-market': { body: { fromCountry: 'us', toCountries: ['fr'] } },
  'PUT /apps/{id}/keyword-field': { body: { text: 'mine,now' } },
  'POST /apps/{id}/keyword-field/preview': { body: { text: 'mine,now' } },
  'POST /apps/{id}/keywords/check': { body: { ids: [absent] } },
  'POST /apps/{id}/keywords/delete': { body: { ids: [absent] } },
  'POST /apps/{id}/keywords/update': { body: { ids: [absent], set: { paused: true } } },
  'POST /apps/{id}/removed-keywords/restore': { body: { ids: [absent] } },
  'GET /apps/{id}/rankings/compare': { query: '?a=2026-11-20&b=2026-11-21' },
  'GET /apps/{id}/phrase-score': { query: '?phrase=mine&country=us' },
  'POST /apps/{id}/country-scores': { body: { phrases: ['mine now'], countries: ['us'] } },
  'POST /apps/{id}/country-scores/preview': { body: { phrases: 'tracked', countries: ['us'] } },
  'GET /apps/{id}/snapshots/diff': { query: '?a=1&b=2' },
  'POST /apps/{id}/annotations': { body: { date: '2026-11-20', text: 'mine now' } },
  'PATCH /annotations/{id}': { body: { text: 'mine now' } },
  'POST /apps/{id}/listing-drafts': { body: { name: 'mine now' } },
  'PATCH /listing-drafts/{id}': { body: { name: 'mine now' } },
  'PUT /listing-drafts/{id}/texts': {
    body: { locales: [{ locale: 'en-US', texts: { title: 'mine now' } }] },
  },
  'POST /listing-drafts/{id}/zip/preview': { body: { zip: 'UEsDBA==' } },
  'POST /listing-drafts/{id}/zip': { body: {} },
  'POST /apps/{id}/locale-coverage/preview': {
    body: { locales: [{ locale: 'en-US', title: 'mine now' }] },
  },
  'PUT /storefront-locales': {
    body: { country: 'gb', locale: 'en-AU', enabled: true, note: 'mine now' },
  },
  'PATCH /views/{id}': { body: { name: 'mine now' } },
  'POST /actions/{id}/snooze': { body: { until: '2026-12-01T00:00:00Z' } },
  'POST /actions/{id}/dismiss': { body: {} },
  'POST /apps/{id}/competitors': { body: { storeAppId: '1234567891' } },
  'PATCH /apps/{id}/competitors/{cid}': { body: { note: 'mine now' } },
  'PUT /history-imports/{importId}/parts/{part}': { body: { data: 'S2V5d29yZA==' } },
  'POST /history-imports/{importId}/preview': { body: {} },
  'POST /history-imports/{importId}/checks': {
    body: { parts: 1, reading: { columns: { phrase: 'mine now' } } },
  },
  'POST /history-imports/{importId}/runs': {},
  'GET /keywords/{keywordId}/serp/diff': { query: '?a=2026-11-20&b=2026-11-21' },
};

/** Published popularity belongs to the instance, and only operators reach its ids. */
const withIds = operationList.filter(
  ([key]) => /\{(id|\w+Id)\}/.test(key) && !key.includes(' /popularity/'),
);

function ask(
  on: TestApi,
  key: OperationKey,
  id: number,
  credential: Credential,
): Promise<RawResponse> {
  const [method, path] = key.split(' ') as [string, string];
  const { body, query = '' } = needed[key] ?? {};
  const sent =
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return on.raw(
    path
      .replace('{kind}', 'rankings')
      .replace('{part}', '1')
      .replace(/\{\w+\}/g, String(id)) + query,
    { method, ...sent },
    credential,
  );
}

/** A response without what differs between any two requests. */
/** Requests are counted when billing is on. */
const counted = isMetered ? ['request_days', 'on_demand_hours'] : [];

function bare(response: RawResponse): object {
  const { path, timestamp, ...body } = response.body as Record<string, unknown>;
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !/^(date|content-length|ratelimit-.*)$/.test(name)),
  );
  return {
    status: response.status,
    body,
    headers,
    hasPath: typeof path === 'string' && typeof timestamp === 'string',
  };
}

async function expectDenied(
  on: TestApi,
  credentials: Partial<Tenant['credentials']> = ann.credentials,
): Promise<void> {
  const before = await describeTables(on, counted);
  for (const [key, operation] of withIds) {
    const idOf = idsIn.find(([shape]) => shape.test(key.slice(key.indexOf(' ') + 1)))?.[1];
    expect([key, idOf !== undefined]).toEqual([key, true]);
    for (const [name, credential] of Object.entries(credentials)) {
      const theirs = await ask(on, key, idOf!(bob), credential);
      const nobodys = await ask(on, key, absent, credential);
      expect([key, name, bare(theirs)]).toEqual([key, name, bare(nobodys)]);
      const mayTry =
        (name !== 'read-only token' || operation.readOnlyToken) &&
        !(operation.sessionOnly && name !== 'session');
      expect([key, name, theirs.status]).toEqual([
        key,
        name,
        mayTry || operation.hidden ? 404 : 403,
      ]);
    }
  }
  expect(await describeTables(on, counted)).toEqual(before);
}

describe('another workspace’s id in a path', () => {
  // With plans, all credentials together would reach the rate limit.
  test('gets exactly the 404 of an unknown id, for every operation and credential', () =>
    expectDenied(api, isMetered ? { session: ann } : ann.credentials));

  // The queries are the same with plans, and for every credential.
  test.skipIf(isMetered)(
    'gets the same 404 without row-level security, by the queries alone',
    async () => {
      const unguarded = await startApi({
        db: api.db,
        deps: { authSecret: api.authSecret },
        services: { appDb: openDatabase(api.db.pool), readDb: openDatabase(api.db.pool) },
      });
      await expectDenied(unguarded, { session: ann });
      await unguarded.close();
    },
  );
});

describe('another workspace’s id in a query or a body', () => {
  test.each([
    ['GET /jobs', (id: number) => `?appId=${id}`, (tenant: Tenant) => tenant.appId],
    ['GET /rankings/latest', (id: number) => `?appIds=${id}`, (tenant: Tenant) => tenant.appId],
  ])('%s finds the same as for an unknown id', async (key, query, idOf) => {
    const path = key.split(' ')[1]!;
    const theirs = await api.raw(path + query(idOf(bob)), {}, ann);
    expect(theirs.text).toBe((await api.raw(path + query(absent), {}, ann)).text);
  });

  test('GET /apps/{id}/rankings by a foreign keyword equals that by an unknown one', async () => {
    const find = (keywordId: number) =>
      api.raw(`/apps/${ann.appId}/rankings?keywordIds=${keywordId}&fill=gaps`, {}, ann);
    const [theirs, nobodys] = [await find(bob.keywordIds[0]!), await find(absent)];
    expect([theirs.status, theirs.body.items, theirs.body.code]).toEqual([
      nobodys.status,
      nobodys.body.items,
      nobodys.body.code,
    ]);
  });

  test.each([
    ['POST /apps/{id}/keywords/check', (tenant: Tenant) => ({ ids: tenant.keywordIds })],
    ['POST /apps/{id}/keywords/delete', (tenant: Tenant) => ({ ids: tenant.keywordIds })],
    [
      'POST /apps/{id}/keywords/update',
      (tenant: Tenant) => ({ ids: tenant.keywordIds, set: { paused: true, addTags: ['x'] } }),
    ],
    ['POST /apps/{id}/removed-keywords/restore', (tenant: Tenant) => ({ ids: tenant.keywordIds })],
    ['PATCH /apps/{id}', (tenant: Tenant) => ({ linkedAppId: tenant.appId })],
    ['PUT /auth/session/workspace', (tenant: Tenant) => ({ workspaceId: tenant.workspaceId })],
  ])(
    '%s treats foreign ids like unknown ids and leaves foreign rows alone',
    async (key, bodyOf) => {
      const [method, path] = key.split(' ') as [string, string];
      const before = await describeTables(api, counted);
      const send = (body: unknown) =>
        api.raw(
          path.replace('{id}', String(ann.appId)),
          { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
          ann,
        );
      const nobody = {
        ...bob,
        appId: absent,
        workspaceId: absent,
        keywordIds: bob.keywordIds.map((_id, index) => absent + index),
      };
      const [theirs, nobodys] = [await send(bodyOf(bob)), await send(bodyOf(nobody))];
      expect(bare(theirs)).toEqual(bare(nobodys));
      expect(await describeTables(api, counted)).toEqual(before);
    },
  );
});

/** Every GET operation, with the caller's own ids. */
async function crawl(on: TestApi, tenant: Tenant, credential: Credential): Promise<string> {
  const texts: string[] = [];
  for (const { key, operation } of routes.filter(
    (route) => route.key.startsWith('GET') && !route.operation.raw,
  )) {
    if (operation.rateClass === 'auth') continue;
    const path = key.slice(4);
    const idOf = idsIn.find(([shape]) => shape.test(path))?.[1];
    const filled = path
      .replace('{date}', '2026-11-21')
      .replace(/\{\w+\}/g, String(idOf?.(tenant) ?? ''));
    const response = await on.raw(
      filled + (needed[key as OperationKey]?.query ?? ''),
      {},
      credential,
    );
    texts.push(
      `${key} ${response.status} ${JSON.stringify([...response.headers])} ${response.text}`,
    );
  }
  return texts.join('\n');
}

/** Every connection is bound to Ann's workspace. */
function bindAllTo(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const pinned = new WeakSet();
  const cross = (
    question: string | pg.QueryConfig,
    values?: unknown[],
  ): [string | pg.QueryConfig, (unknown[] | undefined)?] => {
    if (typeof question === 'string')
      return [question.replace(/(?<='app\.workspace', )'\d+'/, `'${ann.workspaceId}'`), values];
    return question.text.includes('app.workspace')
      ? [{ ...question, values: [String(ann.workspaceId)] }]
      : [question];
  };
  (pool as { connect: unknown }).connect = async () => {
    const client = await connect();
    if (pinned.has(client)) return client;
    pinned.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((question: string | pg.QueryConfig, values?: unknown[]) =>
      query(...cross(question, values))) as typeof client.query;
    return client;
  };
  return pool;
}

describe('reading everything', () => {
  test('shows each workspace its own texts and none of the other’s', async () => {
    for (const [me, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const seen = await crawl(api, me, me);
      expect(seen).toContain(me.marker);
      expect(seen).not.toContain(other.marker);
      expect(seen).not.toContain(other.email);
    }
  });

  test('shows nothing if query and row-level security disagree on the workspace', async () => {
    const open = (isReading: boolean) =>
      bindAllTo(
        openPool({
          url: api.db.url,
          role: 'app',
          max: 2,
          statementTimeoutMs: 10_000,
          isReading,
          log: silentLogger,
        }),
      );
    const [writing, reading] = [open(false), open(true)];
    const services = { appDb: openDatabase(writing), readDb: openReadDatabase(reading) };
    const crossed = await startApi({
      db: api.db,
      deps: { authSecret: api.authSecret },
      services,
    });
    // The workspaces of a person do not belong to one workspace, so its policy cannot cover them.
    const seen = (await crawl(crossed, bob, bob)).replace(/^GET \/auth\/workspaces .*$/m, '');
    expect(seen).not.toContain(ann.marker);
    expect(seen).not.toContain(bob.marker);
    expect(seen).toMatch(/^GET \/tags 200 .*"items":\[\]/m);
    await crossed.close();
    await Promise.all([writing.end(), reading.end()]);
  });
});

// The database is the same with plans.
describe.skipIf(isMetered)('row-level security', () => {
  test('is enabled and forced on every table with a workspace, for the app’s role', async () => {
    const { rows } = await api.db.pool.query(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as locked,
         exists (select from pg_policy p where p.polrelid = c.oid
           and 'toprung_app'::regrole = any(p.polroles)) as policed
       from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
         and (c.relname = 'workspaces' or exists (select from pg_attribute a
           where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped))`,
    );
    expect(rows.length).toBeGreaterThan(6);
    expect(rows.filter((row) => !row.locked || !row.policed)).toEqual([]);
  });

  test('shows the app’s role one workspace if it is set, and none otherwise', async () => {
    const client = new pg.Client({
      connectionString: api.db.url,
      options: '-c role=toprung_app',
    });
    await client.connect();
    for (const table of ['apps', 'keywords', 'tokens', 'sessions', 'jobs', 'memberships']) {
      expect([table, (await client.query(`select * from ${table}`)).rows]).toEqual([table, []]);
      await client.query('begin');
      await client.query("select set_config('app.workspace', $1, true)", [String(ann.workspaceId)]);
      const { rows } = await client.query(`select distinct workspace_id from ${table}`);
      expect([table, rows]).toEqual([table, [{ workspace_id: ann.workspaceId }]]);
      await client.query('commit');
      expect([table, (await client.query(`select * from ${table}`)).rows]).toEqual([table, []]);
    }
    await expect(client.query('select * from users')).rejects.toThrow('permission denied');
    await client.end();
  });
});

test('64 concurrent requests of 8 workspaces on 4 connections never mix', async () => {
  const open = (isReading: boolean) =>
    openPool({
      url: api.db.url,
      role: 'app',
      max: 4,
      statementTimeoutMs: 10_000,
      isReading,
      log: silentLogger,
    });
  const [writing, reading] = [open(false), open(true)];
  const services = { appDb: openDatabase(writing), readDb: openReadDatabase(reading) };
  const crowded = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret, credentialCacheMs: 800 },
    services,
  });
  const people = await Promise.all(Array.from({ length: 8 }, () => crowded.signUp()));
  // Counting requests for plans is one more statement that could mix them.
  let left = isMetered ? 300 : 1_200;
  const mixed: number[] = [];
  // Row-level security alone, without the workspace in the statement.
  const seenBy = async (workspaceId: number): Promise<number[]> => {
    const { rows } = await inWorkspace(services.readDb, workspaceId, (tx) =>
      sql<{ id: number }>`select distinct workspace_id as id from memberships`.execute(tx),
    );
    return rows.map(({ id }) => id);
  };
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const { workspaceId, headers } = people[left % 8]!;
      const ask = async (key: 'GET /workspace' | 'GET /auth/session') => {
        const { body } = await crowded.call(key, null, { headers });
        return [body.id ?? body.workspace.id];
      };
      const seen =
        left % 3 === 0
          ? await seenBy(workspaceId)
          : await ask(left % 3 === 1 ? 'GET /workspace' : 'GET /auth/session');
      if (seen.length !== 1 || seen[0] !== workspaceId) mixed.push(left);
    }
  };
  await Promise.all(Array.from({ length: 64 }, client));
  expect(mixed).toEqual([]);
  await crowded.close();
  await Promise.all([writing.end(), reading.end()]);
});
