import type pg from 'pg';
import { addDays } from '#lib/dates.ts';
import { startApi, type Credential, type TestApi } from '../harness/api.ts';
import { everyDrop, everyLowReview, everyRise } from '../harness/every-move-rules.ts';
import { until } from '../harness/load-recorder.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

export interface Instance {
  api: TestApi;
  pipeline: Pipeline;
  receiver: Receiver;
  close(): Promise<void>;
}

/** A Sunday: the week's digest is sent on the second day. */
const firstDay = '2026-06-07';
const days = 2;
const phrases = ['habit tracker', 'mood journal', 'daily planner'];
const habits = '1500000001';

/**
 * An instance against the simulator. Its ids begin at `offset`, far from other numbers and from
 * another instance's ids.
 */
export async function startInstance(offset: number, day = firstDay): Promise<Instance> {
  const pipeline = await startPipeline({
    day,
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
  });
  await offsetSequences(pipeline.db.pool, offset);
  const close = async () => {
    await api.close();
    await pipeline.close();
    await receiver.close();
  };
  return { api, pipeline, receiver, close };
}

/**
 * From 2,000,000,000 on, a range for each table, unlike the stores' ids: a forgotten id in text or
 * JSON shows.
 */
export async function offsetSequences(pool: pg.Pool, offset: number): Promise<void> {
  const { rows } = await pool.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       and a.attname = 'id' and a.attidentity <> ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  for (const [index, { name }] of rows.entries()) {
    await pool.query(
      `alter table "${name}" alter column id restart with ` +
        `${2_000_000_000 + index * 2_000_000 + offset}`,
    );
  }
}

/** Ticks until everything requested has ended. */
export async function finishJobs({ pipeline }: Instance): Promise<void> {
  const isDone = async () => {
    pipeline.clock.advance(1_000);
    await pipeline.tick();
    const { rows } = await pipeline.db.pool.query(
      "select 1 from jobs where state in ('queued', 'running')",
    );
    return rows.length === 0;
  };
  await until(isDone, 30_000, 'the jobs to end');
}

/**
 * A workspace in which people have used every feature over days of real runs; it ends before a
 * day's run.
 */
export async function seedWorkspace(on: Instance, who: Credential): Promise<void> {
  const { api, pipeline } = on;
  const apps = await addApps(api, who);
  await createNamedResources(api, who, apps);
  await createWatchers(on, who, apps);
  for (let number = 0; number < days; number += 1) {
    const day = addDays(firstDay, number);
    if (number > 0) overrideListings(pipeline, day);
    await pipeline.runDay(day);
    await finishJobs(on);
  }
  pipeline.clock.set(`${addDays(firstDay, days - 1)}T08:30:00Z`);
  await finishJobs(on);
  await actOnFindings(api, who);
  // As after a restore; archiving them for days would change what the runs of these days do.
  for (const table of ['apps', 'competitors'])
    await pipeline.db.pool.query(
      `update ${table} set archived_spans = '[["2026-05-01T10:00:00Z", "2026-05-04T10:00:00Z"]]'`,
    );
  pipeline.clock.set(`${addDays(firstDay, days)}T00:30:00Z`);
}

interface Apps {
  ios: number;
  android: number;
  archived: number;
  purged: number;
}

async function addApps(api: TestApi, who: Credential): Promise<Apps> {
  const { items } = await api.ok(
    'GET /store/apps/search',
    { query: { store: 'ios', q: phrases[0]!, country: 'us' } },
    who,
  );
  const others = items
    .map(({ storeAppId }) => storeAppId)
    .filter((storeAppId) => storeAppId !== habits);
  const add = async (store: 'ios' | 'android', storeAppId: string) =>
    (await api.ok('POST /apps', { body: { store, storeAppId, tags: ['mine'] } }, who)).app.id;
  const apps: Apps = {
    ios: await add('ios', habits),
    android: await add('android', 'app.lumen.habits'),
    archived: await add('ios', others[0]!),
    purged: await add('ios', others[1]!),
  };
  for (const id of Object.values(apps)) {
    const body = { phrases, countries: ['us', 'de'], tags: ['core'] };
    await api.ok('POST /apps/{id}/keywords', { params: { id }, body }, who);
  }
  for (const storeAppId of others.slice(2, 5)) {
    await api.ok(
      'POST /apps/{id}/competitors',
      { params: { id: apps.ios }, body: { storeAppId, relationship: 'competitor' } },
      who,
    );
  }
  return apps;
}

async function createNamedResources(api: TestApi, who: Credential, apps: Apps): Promise<void> {
  const params = { id: apps.ios };
  await api.ok(
    'PATCH /apps/{id}',
    {
      params,
      body: {
        displayName: 'Ours',
        note: '=1+1',
        tags: ['mine', 'first'],
        linkedAppId: apps.android,
      },
    },
    who,
  );
  const { items: keywords } = await api.ok(
    'GET /apps/{id}/keywords',
    { params, query: { sort: 'phrase' } },
    who,
  );
  const [first, second, third, fourth, fifth] = keywords.map(({ id }) => id);
  const patch = (keywordId: number, body: object) =>
    api.ok('PATCH /keywords/{keywordId}', { params: { keywordId }, body }, who);
  await patch(first!, { note: 'our best', favorite: true, tags: ['core', 'brand'] });
  await patch(second!, { depth: 50 });
  await api.ok(
    'PATCH /tags/{name}',
    { params: { name: 'brand' }, body: { color: '#1f7a4d' } },
    who,
  );
  const note = { date: '2026-06-07', text: 'a new icon', keywordIds: [first!, third!, fifth!] };
  await api.ok('POST /apps/{id}/annotations', { params, body: note }, who);
  await api.ok(
    'POST /apps/{id}/annotations',
    { params: { id: apps.archived }, body: { date: '2026-06-08', text: 'put away' } },
    who,
  );
  for (const text of ['habit,mood,planner', 'habit,mood,planner,goal']) {
    await api.ok('PUT /apps/{id}/keyword-field', { params, body: { text } }, who);
  }
  await api.ok(
    'PUT /apps/{id}/keyword-field',
    { params, body: { text: 'gewohnheit', locale: 'de-DE' } },
    who,
  );
  const { id: draftId } = await api.ok(
    'POST /apps/{id}/listing-drafts',
    { params, body: { name: 'summer' } },
    who,
  );
  for (const title of ['Lumen: Habits', 'Lumen: Habits and Moods']) {
    const locales = [{ locale: 'en-US', texts: { title } }];
    await api.ok(
      'PUT /listing-drafts/{id}/texts',
      { params: { id: draftId }, body: { locales } },
      who,
    );
  }
  const abroad = { phrases: ['habit streaks'], countries: ['us', 'fr'] };
  await api.ok('POST /apps/{id}/country-scores', { params, body: abroad }, who);
  const inBritain = { country: 'gb', locale: 'en-AU', enabled: true, note: 'our test in May' };
  await api.ok('PUT /storefront-locales', { body: inBritain }, who);
  await api.ok(
    'PATCH /settings',
    { body: { digestHour: 7, reviewNegativeMaxRating: 3, thresholds: { movePositions: 4 } } },
    who,
  );
  const rows = ['2026-05-01,7,', '2026-05-02,>50,', '2026-05-03,3,30'].map(
    (row) => `${keywords[0]!.phrase},${keywords[0]!.country},${row}`,
  );
  const mapping = {
    phrase: 'phrase',
    country: 'country',
    date: 'date',
    position: 'position',
    depth: 'depth',
  };
  const text = ['phrase,country,date,position,depth', ...rows].join('\n');
  await api.ok(
    'POST /workspace/imports',
    { body: { format: 'csv', appId: apps.ios, text, mapping } },
    who,
  );
  await patch(third!, { paused: true });
  await patch(fourth!, { depth: 100 });
}

async function createWatchers(
  { api, receiver }: Instance,
  who: Credential,
  apps: Apps,
): Promise<void> {
  const rules = [
    {
      ...everyDrop,
      scope: { appIds: [apps.ios, apps.purged], tags: ['core'] },
      minPositions: 1,
      cooldownDays: 2,
    },
    { ...everyRise, minPositions: 1 },
    { event: 'metadata.changed', scope: { appIds: [apps.purged] } },
    { event: 'metadata.changed' },
    { event: 'serp.entrant', minDays: 1, top: 50 },
    { ...everyLowReview, maxAgeDays: 5 },
  ];
  await api.ok('PUT /alerts/rules', { body: { rules: rules as never } }, who);
  const events = ['rank.dropped', 'metadata.changed', 'review.negative'] as const;
  await api.ok(
    'POST /webhooks',
    {
      body: {
        url: `${receiver.url}/hook`,
        events: [...events],
        secret: 'marker-webhook-secret',
        description: 'ours',
      },
    },
    who,
  );
  await api.ok(
    'POST /webhooks',
    { body: { url: `${receiver.url}/off`, events: ['digest.weekly'], enabled: false } },
    who,
  );
  await api.ok(
    'DELETE /apps/{id}',
    { params: { id: apps.purged }, query: { purge: 'true' } as never },
    who,
  );
}

/** A new title and a low review of each kind of tracked listing. */
function overrideListings(pipeline: Pipeline, day: string): void {
  pipeline.simulator.addOverrides({
    releases: [{ store: 'ios', storeAppId: habits, day, fields: { title: `Habits of ${day}` } }],
    reviews: [1, 2].map((rating) => ({
      store: 'ios',
      storeAppId: habits,
      country: 'us',
      at: `${day}T00:0${rating}:00Z`,
      rating,
      title: 'Lost',
      body: 'All of my streaks are gone since the update',
    })),
  });
}

/** Users' operations on findings, with deletions last. */
async function actOnFindings(api: TestApi, who: Credential): Promise<void> {
  const { items: actions } = await api.ok('GET /actions', { query: { state: 'open' } }, who);
  const about = (index: number) => ({ params: { id: actions[index]!.id } });
  await api.ok('POST /actions/{id}/resolve', about(0), who);
  await api.ok('POST /actions/{id}/dismiss', { ...about(1), body: { reason: 'not for us' } }, who);
  await api.ok(
    'POST /actions/{id}/snooze',
    { ...about(2), body: { until: '2026-06-20T00:00:00Z' } },
    who,
  );
  const { items: apps } = await api.ok('GET /apps', null, who);
  const ios = apps.find((app) => app.displayName === 'Ours')!;
  const params = { id: ios.id };
  const { items: reviews } = await api.ok(
    'GET /apps/{id}/reviews',
    { params, query: { limit: 3 } },
    who,
  );
  const mark = (index: number, body: object) =>
    api.ok('PATCH /reviews/{reviewId}', { params: { reviewId: reviews[index]!.id }, body }, who);
  await mark(0, { tags: ['bug'], note: 'replied', read: true });
  await mark(1, { read: true });
  const { items: competitors } = await api.ok('GET /apps/{id}/competitors', { params }, who);
  await api.ok(
    'PATCH /apps/{id}/competitors/{cid}',
    { params: { id: ios.id, cid: competitors[0]!.id }, body: { note: 'watch it' } },
    who,
  );
  await api.ok(
    'DELETE /apps/{id}/competitors/{cid}',
    { params: { id: ios.id, cid: competitors[1]!.id } },
    who,
  );
  const { items: keywords } = await api.ok(
    'GET /apps/{id}/keywords',
    { params, query: { sort: 'phrase' } },
    who,
  );
  await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: keywords.at(-1)!.id } }, who);
  const archived = apps.find((app) => app.store === 'ios' && app.id !== ios.id)!;
  await api.ok('DELETE /apps/{id}', { params: { id: archived.id } }, who);
}
