import { createRecovery } from '#domain/accounts/auth/password-recovery.ts';
import { createAccountLink } from '#domain/accounts/auth/create-account-link.ts';
import { inSystem } from '#domain/base/context.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { createBoard } from '#queue/board.ts';
import { registerAdsKey, type AdsCredentials } from '../api/popularity-sync.fixtures.ts';
import { startApi, type Account, type Credential, type TestApi } from './api.ts';
import { until } from './load-recorder.ts';
import { readDescription, type Described, type Description } from './openapi.ts';
import type { Hints } from './openapi-values.ts';
import { startPipeline, type Pipeline } from './pipeline.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startStripeStub } from './stripe-stub.ts';

/** One of everything that has an id, in a workspace of its own, and its callers. */
export interface FilledAccount extends Account {
  token: Credential & { secret: string; id: number };
  reader: Credential & { secret: string; id: number };
  /** The noun of a path: `/apps/{id}` → the apps. */
  ids: Map<string, (string | number)[]>;
  /** Input of a single operation. */
  single: {
    inviteToken: string;
    resetToken: string;
    confirmToken: string;
    reportToken: string;
    /** Deliveries of events, which can be redelivered. */
    eventDeliveryIds: number[];
    failedJobId: number;
    queuedJobId: number;
    otherStoreAppIds: string[];
    quarantinedSetIds: number[];
    adsCredentials: AdsCredentials;
    iconUrl: string;
  };
}

export interface World {
  api: TestApi;
  /** The same with plans, and payments for them. */
  metered: TestApi;
  pipeline: Pipeline;
  receiver: Receiver;
  description: Description;
  /** The keywords of every account. */
  phrases: readonly string[];
  /** People's work uses the API, the rest is done by the daily run. */
  createFilledAccount(): Promise<FilledAccount>;
  /** Reads the ids again. */
  findIds(account: Account): Promise<FilledAccount['ids']>;
  hintsFor(account: FilledAccount): Hints;
  close(): Promise<void>;
}

const firstDay = '2026-06-01';
const phrases = ['habit tracker', 'mood journal', 'daily planner'];

/** The API, the run and its workers over one database, against the simulator. */
export async function startWorld(): Promise<World> {
  const pipeline = await startPipeline({
    day: firstDay,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
    environment: {
      WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      ENCRYPTION_KEY: 'a key for the secrets of a test, long enough',
    },
  });
  const receiver = await startReceiver();
  const api = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    services: pipeline.runtime.services,
    deps: { board: () => createBoard(pipeline.runtime.queues) },
  });
  const stripe = await startStripeStub();
  const { services } = pipeline.runtime;
  const metered = await startApi({
    db: pipeline.db,
    clock: pipeline.clock,
    services: {
      ...services,
      settings: { ...services.settings, billingEnabled: true },
      payments: stripe.payments(),
    },
    deps: { authSecret: api.authSecret },
  });
  const description = readDescription();
  const today = () => utcDayOf(pipeline.clock.now());
  const world: World = {
    api,
    metered,
    pipeline,
    receiver,
    description,
    phrases,
    createFilledAccount: async () => {
      const account = await api.signUp();
      // Operators are tested too; their operations use a workspace that no other test needs.
      await api.db.pool.query('update users set operator = true where id = $1', [account.userId]);
      const spare = await api.signUp();
      const content = await createContent(world, account);
      await pipeline.runDay(addDays(today(), 1));
      overrideListings(world, content.ownStoreAppId, addDays(today(), 1));
      await pipeline.runDay(addDays(today(), 1));
      await api.ok('POST /actions/run', null, account);
      const { poll } = await api.ok('POST /workspace/exports', { body: {} }, account);
      await finishJobs(pipeline);
      const resetToken = (await createRecovery(api.services, content.otherEmail))!;
      const link = { userId: spare.userId, purpose: 'confirmation', mailed: true } as const;
      const confirmToken = (await inSystem(api.services, (tx) =>
        createAccountLink(tx, api.services, link),
      ))!;
      const icons = await api.db.pool.query<{ iconUrl: string }>(
        `select icon_url as "iconUrl" from listings where store_app_id = '1500000001'`,
      );
      // A test cannot be redelivered.
      const delivered = await api.db.pool.query<{ id: number }>(
        'select id from deliveries where workspace_id = $1 and event_id is not null order by id',
        [account.workspaceId],
      );
      const single = {
        ...content,
        eventDeliveryIds: delivered.rows.map(({ id }) => id),
        iconUrl: icons.rows[0]!.iconUrl,
        resetToken,
        confirmToken,
        ...(await leaveJobs(world, account)),
      };
      const [token, reader] = [
        await api.token(account),
        await api.token(account, { readOnly: true }),
      ];
      const ids = await world.findIds(account);
      const others = {
        '/auth/sessions/{id}': account.sessionId,
        '/workspace/members/{id}': account.userId,
      };
      for (const [prefix, own] of Object.entries(others))
        ids.set(prefix, ids.get(prefix)?.filter((id) => id !== own) ?? []);
      ids.set('/workspace/exports/{exportId}', [Number(poll.split('/').at(-1))]);
      ids.set('/workspace/imports/{importId}', [content.importId]);
      ids.set('/workspace/imports/parts/{part}', [1]);
      ids.set('/popularity/imports/{importId}', [content.popularityImportId]);
      ids.set('/popularity/imports/parts/{part}', [1]);
      ids.set('/history-imports/{importId}', content.historyImportIds);
      ids.set('/history-imports/{importId}/parts/{part}', [1]);
      ids.set('/popularity/quarantine/{setId}', content.quarantinedSetIds);
      ids.set('/admin/workspaces/{id}', [spare.workspaceId]);
      ids.set('/auth/invites/{token}', [content.inviteToken]);
      return { ...account, token, reader, ids, single };
    },
    findIds: (account) => findIds(world, account),
    hintsFor: (account) => hintsFor(world, account, today()),
    close: async () => {
      await metered.close();
      await stripe.close();
      await api.close();
      await pipeline.close();
      await receiver.close();
    },
  };
  return world;
}

async function createContent({ api, receiver, pipeline }: World, account: Account) {
  const apps = [
    await api.ok(
      'POST /apps',
      { body: { store: 'ios', storeAppId: '1500000001', tags: ['mine'] } },
      account,
    ),
    await api.ok(
      'POST /apps',
      { body: { store: 'android', storeAppId: 'app.lumen.habits' } },
      account,
    ),
  ];
  const params = { id: apps[0]!.app.id };
  const { items } = await api.ok(
    'GET /store/apps/search',
    { query: { store: 'ios', q: phrases[0]!, country: 'us' } },
    account,
  );
  const [competitor, ...others] = items
    .filter(({ tracked }) => tracked === null)
    .map(({ storeAppId }) => storeAppId);
  // A listing that nobody else tracks: its snapshots, changes and reviews are visible to this
  // workspace alone.
  const { rows } = await api.db.pool.query('select count(*)::int as followed from apps');
  const ownStoreAppId = others.at(-(rows[0].followed % others.length) - 1)!;
  apps.push(
    await api.ok(
      'POST /apps',
      { body: { store: 'ios', storeAppId: ownStoreAppId, tags: [`own-${account.workspaceId}`] } },
      account,
    ),
  );
  for (const { app } of apps)
    await api.ok(
      'POST /apps/{id}/keywords',
      { params: { id: app.id }, body: { phrases, countries: ['us', 'de'], tags: ['core'] } },
      account,
    );
  await api.ok(
    'POST /apps/{id}/competitors',
    { params, body: { storeAppId: competitor! } },
    account,
  );
  await api.ok(
    'POST /apps/{id}/annotations',
    { params, body: { date: utcDayOf(pipeline.clock.now()), text: 'a note' } },
    account,
  );
  const draft = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params, body: { name: 'a draft' } },
    account,
  );
  const texts = [{ locale: 'en-US', texts: { title: 'Habits' } }];
  await api.ok(
    'PUT /listing-drafts/{id}/texts',
    { params: { id: draft.id }, body: { locales: texts } },
    account,
  );
  await api.ok('POST /views', { body: { name: 'a view', path: '/actions' } }, account);
  const report = { appId: apps[0]!.app.id, name: 'a report' };
  const { url: reportUrl } = await api.ok('POST /reports', { body: report }, account);
  await api.ok(
    'PUT /apps/{id}/keyword-field',
    { params, body: { text: 'habit,mood,planner' } },
    account,
  );
  const webhook = await api.ok(
    'POST /webhooks',
    { body: { url: `${receiver.url}/hook`, events: ['rank.dropped', 'metadata.changed'] } },
    account,
  );
  await api.ok('POST /webhooks/{id}/test', { params: { id: webhook.id }, body: {} }, account);
  const guest = `guest-${account.workspaceId}@example.org`;
  const { acceptUrl } = await api.ok(
    'POST /workspace/invites',
    { body: { email: guest, role: 'member' } },
    account,
  );
  const other = await api.signUp({ workspaceId: account.workspaceId, role: 'member' });
  await signInAgain(api, account);
  await api.ok(
    'PUT /workspace/imports/parts/{part}',
    { params: { part: 1 }, body: { text: 'not an export' } },
    account,
  );
  const imported = await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts: 1 } },
    account,
  );
  if (!('poll' in imported)) throw new Error('an import in parts was done at once');
  await api.ok(
    'PUT /popularity/imports/parts/{part}',
    { params: { part: 1 }, body: { data: 'bm8gZmlsZQo=' } },
    account,
  );
  const popularity = await api.ok(
    'POST /popularity/imports',
    { body: { parts: 1, fileName: 'terms.csv' } },
    account,
  );
  const historyImportIds: number[] = [];
  for (const fileName of ['history.csv', 'more.csv', 'checked.csv']) {
    const { id: importId } = await api.ok(
      'POST /history-imports',
      { body: { appId: apps[0]!.app.id, fileName } },
      account,
    );
    await api.ok(
      'PUT /history-imports/{importId}/parts/{part}',
      { params: { importId, part: 1 }, body: { data: 'S2V5d29yZCxSYW5rLERheQo=' } },
      account,
    );
    historyImportIds.push(importId);
  }
  // Only a checked history can be imported.
  await api.db.pool.query("update history_imports set phase = 'checked', parts = 1 where id = $1", [
    historyImportIds.at(-1),
  ]);
  const { rows: quarantined } = await api.db.pool.query<{ setId: number }>(
    `with s as (insert into popularity_sets (country, granularity, period, source, state,
         created_at) select 'fr', 'week', week, 'api', 'quarantined', now()
         from unnest(array['2026-11-01', '2026-11-08']::date[]) week
       returning id, period)
     insert into popularity_weeks (country, week, outcome, set_id, terms, unreadable, updated_at)
     select 'fr', period, 'quarantined', id, 0, 0, now() from s
     on conflict (country, week) do update set set_id = excluded.set_id
     returning set_id as "setId"`,
  );
  return {
    historyImportIds,
    quarantinedSetIds: quarantined.map(({ setId }) => setId),
    adsCredentials: registerAdsKey(pipeline.simulator, `key-${account.userId}`),
    popularityImportId: Number(popularity.poll.split('/').at(-1)),
    importId: Number(imported.poll.split('/').at(-1)),
    inviteToken: acceptUrl!.split(/[#/]/).at(-1)!,
    otherEmail: other.email,
    reportToken: reportUrl!.split('#').at(-1)!,
    ownStoreAppId,
    otherStoreAppIds: others.filter((storeAppId) => storeAppId !== ownStoreAppId),
  };
}

/** A day on which the apps change: a new title, and a review. */
function overrideListings({ pipeline }: World, ownStoreAppId: string, day: string): void {
  const storeAppIds = ['1500000001', ownStoreAppId];
  pipeline.simulator.addOverrides({
    releases: storeAppIds.map((storeAppId) => ({
      store: 'ios',
      storeAppId,
      day,
      fields: { title: `As of ${day}` },
    })),
    reviews: storeAppIds.map((storeAppId) => {
      return {
        store: 'ios',
        storeAppId,
        country: 'us',
        at: `${day}T00:00:00Z`,
        rating: 1,
        title: 'Lost',
        body: 'All gone since the update',
      };
    }),
  });
}

/** A second session besides the caller's. */
async function signInAgain(api: TestApi, { email, password }: Account): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': '127.250.0.1',
  };
  const response = await api.raw('/auth/sign-in', {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  });
  if (response.status !== 200) throw new Error(`signing in answered ${response.text}`);
}

/** Ticks until everything requested has ended. */
async function finishJobs(pipeline: Pipeline): Promise<void> {
  await until(
    async () => {
      pipeline.clock.advance(1_000);
      await pipeline.tick();
      const { rows } = await pipeline.db.pool.query(
        "select 1 from jobs where state in ('queued', 'running')",
      );
      return rows.length === 0;
    },
    30_000,
    'the jobs to end',
  );
}

/** A failed job to retry, and one that has not started to cancel. */
async function leaveJobs(
  { api }: World,
  account: Account,
): Promise<{ failedJobId: number; queuedJobId: number }> {
  const { items } = await api.ok('GET /apps', null, account);
  const { rows } = await api.db.pool.query(
    `update jobs set state = 'failed', error = 'a test' where id = (select max(id) from jobs ` +
      `where workspace_id = $1 and kind = 'actions-run') returning id`,
    [account.workspaceId],
  );
  const { job } = await api.ok(
    'POST /apps/{id}/run-daily',
    { params: { id: items[0]!.id } },
    account,
  );
  return { failedJobId: Number(rows[0].id), queuedJobId: job.id };
}

/**
 * A list of the API ends with the noun before the id: ids of `/apps/{id}/competitors/{cid}` come
 * from `GET /apps/{id}/competitors`, ids of `/annotations/{id}` from any list of annotations. So a
 * new noun finds its ids by itself.
 */
async function findIds(
  { api, description }: World,
  account: Account,
): Promise<FilledAccount['ids']> {
  const ids: FilledAccount['ids'] = new Map();
  const prefixes = [
    ...new Set(description.operations.flatMap(({ path }) => prefixesOf(path))),
  ].toSorted((a, b) => a.length - b.length);
  for (const prefix of prefixes) {
    const noun = `/${prefix.split('/').at(-2)!}`;
    const exact = prefix.slice(0, prefix.lastIndexOf('/'));
    // Imports of a workspace and those of popularity are different things.
    const isOther = (path: string) =>
      path !== exact && prefixes.includes(`${path}${prefix.slice(exact.length)}`);
    const lists = description.operations
      .filter(({ key, path }) => key === `GET ${path}` && path.endsWith(noun) && !isOther(path))
      .toSorted((a, b) => Number(b.path === exact) - Number(a.path === exact));
    for (const list of lists) {
      const name = prefix.split('{').at(-1)!.slice(0, -1);
      const found = await readList(api, list, account, ids);
      const values = found
        .map((item) => item[name] ?? item['id'] ?? item['name'])
        .filter((value) => value !== undefined);
      if (values.length > 0)
        ids.set(prefix, [...new Set([...(ids.get(prefix) ?? []), ...(values as number[])])]);
    }
  }
  return ids;
}

async function readList(
  api: TestApi,
  list: Described,
  account: Account,
  ids: FilledAccount['ids'],
): Promise<Record<string, unknown>[]> {
  const [outer] = prefixesOf(list.path).toReversed();
  const outerIds = outer === undefined ? [[]] : (ids.get(outer) ?? []).map((id) => [id]);
  const found: Record<string, unknown>[] = [];
  for (const [id] of outerIds.slice(0, 3)) {
    const response = await api.raw(list.path.replace(/\{\w+\}/, String(id)), {}, account);
    found.push(...((response.body?.items as Record<string, unknown>[] | undefined) ?? []));
  }
  return found;
}

/** `/apps/{id}/competitors/{cid}/rankings` → `/apps/{id}`, `/apps/{id}/competitors/{cid}`. */
export function prefixesOf(path: string): string[] {
  return [...path.matchAll(/\{\w+\}/g)].map((match) =>
    path.slice(0, match.index + match[0].length),
  );
}

function hintsFor({ receiver }: World, account: FilledAccount, today: string): Hints {
  const pool = (prefix: string) => account.ids.get(prefix) ?? [];
  const days = [0, -1, -2, -9].map((offset) => addDays(today, offset));
  const byName: Record<string, readonly unknown[]> = {
    country: ['us', 'de'],
    fromCountry: ['us'],
    toCountries: ['fr', 'jp'],
    countries: ['us', 'fr'],
    lookupCountry: ['us'],
    date: days,
    a: days.slice(1),
    b: days.slice(0, 1),
    from: [...days.slice(2), `${days[2]}T00:00:00Z`],
    to: [days[0], `${days[0]}T00:00:00Z`],
    keywordId: pool('/keywords/{keywordId}'),
    keywordIds: pool('/keywords/{keywordId}'),
    ids: [...pool('/keywords/{keywordId}'), ...pool('/actions/{id}')],
    appId: pool('/apps/{id}'),
    appIds: pool('/apps/{id}'),
    linkedAppId: pool('/apps/{id}'),
    competitorId: pool('/apps/{id}/competitors/{cid}'),
    storeAppId: ['1500000001', ...account.single.otherStoreAppIds.slice(1), 'app.lumen.habits'],
    q: phrases,
    phrase: [...phrases, 'sleep sounds', 'focus timer'],
    phrases: ['sleep sounds', 'focus timer'],
    tag: ['core', 'mine'],
    timezoneForDisplay: ['Europe/Berlin', 'UTC'],
    url: [
      `${receiver.url}/other`,
      'https://apps.apple.com/us/app/lumen/id1500000001',
      account.single.iconUrl,
      'https://is1-ssl.mzstatic.com/image/thumb/another/1x1bb.jpg',
    ],
    path: ['/actions?state=open', '/apps/1/keywords?best=10'],
    limit: [1, 2, 100],
    week: ['2026-06-01'],
    category: ['6002', '6007', 'HEALTH_AND_FITNESS'],
    until: [`${addDays(today, 5)}T00:00:00Z`],
    expiresAt: [`${addDays(today, 5)}T00:00:00Z`],
    password: ['a long enough password'],
    format: ['csv', 'standard'],
  };
  return (key, name) => {
    const path = key.slice(key.indexOf(' ') + 1);
    const prefix = prefixesOf(path).find((text) => text.endsWith(`{${name}}`));
    return prefix === undefined ? byName[name] : pool(prefix);
  };
}
