import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FieldWatch } from '#domain/tracking/drift/field-watch.ts';
import { syncFieldWatch } from '#domain/tracking/drift/sync-field-watch.ts';
import { unpackStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import { getRun } from '#domain/scheduling/runs/list-runs.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { silentLogger, type Logger } from '#lib/logger.ts';
import { readerOf } from '../harness/history.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { makePhrases } from '../harness/ground-truth.ts';

keepOrder('the tests are the days of one pipeline');

const country = 'us';
const firstDay = '2026-05-10';
const day = (index: number): UtcDay => addDays(firstDay, index);
const counts: Record<StoreName, number> = { ios: 26, android: 16 };
let pipeline: Pipeline;
/** An app that really has no subtitle from the third day on. */
let withoutSubtitle: string;
const logged: { level: string; field: string; text: string }[] = [];

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await pipeline.db.pool.query(text, values)).rows as T[];

/** The next second's tick writes the counts that the run's last readings left. */
async function runDay(index: number): Promise<void> {
  await pipeline.runDay(day(index));
  pipeline.clock.advance(10_000);
  await pipeline.tick();
}

function logInto(level: string) {
  return ((details: { alert?: string; field?: string }, text: string) => {
    if (details.field) logged.push({ level, field: details.field, text });
  }) as Logger['error'];
}

beforeAll(async () => {
  pipeline = await startPipeline({
    day: firstDay,
    simulator: { world: { apps: 500, resultsPerSearch: 40, androidMode: 'web30' } },
    log: { ...silentLogger, error: logInto('error'), warn: logInto('warn'), info: logInto('info') },
  });
  await pipeline.db.pool.query(`alter table workspaces alter created_at set default '2026-05-01'`);
  const phrases = makePhrases(counts.ios + counts.android);
  for (const store of ['ios', 'android'] as const) {
    const { apps } = pipeline.simulator.world.catalogues[store];
    const rated = apps.filter((app) => isRatedAndOffered(store, app.storeAppId));
    for (const { storeAppId } of rated.slice(0, counts[store])) {
      const { phrase } = phrases.pop()!;
      await pipeline.track({ store, storeAppId }, [{ phrase, country, depth: 20 }]);
      if (store === 'ios') withoutSubtitle = storeAppId;
    }
  }
  // Only pages matter here besides searches and listings.
  await rows(`update store_tasks set active = kind = 'page'`);
  pipeline.simulator.addOverrides({
    releases: [
      { store: 'ios', storeAppId: withoutSubtitle, day: day(2), fields: { subtitle: '' } },
    ],
  });
});
afterAll(() => pipeline.close());

function isRatedAndOffered(store: StoreName, storeAppId: string): boolean {
  return [0, 4, 8].every((index) => {
    const app = pipeline.simulator.world.findApp(store, storeAppId, country, day(index));
    const shown = { country, language: 'en', day: day(index) };
    const listing = app && pipeline.simulator.world.listing(app, shown);
    return listing?.rating != null && !listing.version.startsWith('1.0.');
  });
}

const openDrifts = () =>
  rows<{ name: string }>(
    `select concat_ws(' ', store, source, field) as name from field_drifts
     where ended_at is null order by 1`,
  ).then((found) => found.map(({ name }) => name));
/** Fields of the newest snapshots that are null although an older one of the version had them. */
const overwritten = () =>
  rows(`
    select distinct l.store_app_id as id, f.field from listings l
    join lateral (select distinct on (country) * from snapshots
      where listing_id = l.id order by country, id desc) s on true
    cross join unnest(array['subtitle', 'version', 'releaseNotes']) as f(field)
    where s.fields->>f.field is null and exists (select from snapshots b
      where b.listing_id = l.id and b.country = s.country and b.fields->>f.field is not null
        and b.fields->>'version' = s.fields->>'version')`);
const lostChanges = () =>
  rows(`
    select l.store_app_id as id, c.field, (c.detected_at at time zone 'UTC')::date::text as on
    from changes c join listings l on l.id = c.listing_id
    where c.after is null or c.after = 'null'`);
const lostEvents = () =>
  rows(`select 1 from events where type = 'metadata.changed' and body like '%"after":null%'`);
const honestLoss = () => ({ id: withoutSubtitle, field: 'subtitle' });
const drifting = [
  'android listing releaseNotes',
  'ios listing rating',
  'ios listing ratingCount',
  'ios page subtitle',
  'ios search/web rating',
];

describe('honest days', () => {
  test('raise no alert, and an app that lost its subtitle has lost it', async () => {
    for (const index of [0, 1, 2]) await runDay(index);
    expect([await overwritten(), await lostChanges()]).toEqual([[], []]);
    // A page that fails at first is the second reading all the same.
    pipeline.simulator.setFaults([{ fault: '503', store: 'ios', kind: 'app-page', times: 40 }]);
    await runDay(3);
    pipeline.simulator.setFaults([]);
    expect(await overwritten()).toEqual([honestLoss()]);
    expect(await lostChanges()).toEqual([{ ...honestLoss(), on: day(3) }]);
    expect(await lostEvents()).toHaveLength(1);
    expect([await openDrifts(), logged.filter(({ level }) => level === 'error')]).toEqual([[], []]);
  });

  test('are counted by day, source and field', async () => {
    const counted = await rows<{ read: number; missing: number; lost: number }>(
      `select read, missing, lost from field_days
       where (store, source, field) = ('ios', 'page', 'subtitle') order by on_date`,
    );
    const all = counts.ios;
    expect(counted).toEqual([
      { read: all, missing: 0, lost: 0 },
      { read: all, missing: 0, lost: 0 },
      { read: all - 1, missing: 1, lost: 1 },
      { read: all - 1, missing: 1, lost: 1 },
    ]);
    expect(
      await rows(
        `select read, missing from field_days where on_date = $1
         and (store, source, field) = ('ios', 'listing', 'inAppPurchases')`,
        [day(3)],
      ),
    ).toEqual([{ read: 0, missing: counts.ios }]);
  });
});

describe('days on which fields drift', () => {
  const spoil = (from: string) =>
    pipeline.simulator.setFaults([
      { fault: 'field-null', field: 'subtitle', store: 'ios', kind: 'app-page', from },
      { fault: 'field-null', field: 'rating', store: 'ios', kind: 'lookup', from },
      { fault: 'field-null', field: 'releaseNotes', store: 'android', kind: 'details', from },
      { fault: 'field-renamed', field: 'rating', host: 'apps.apple.com', kind: 'search', from },
    ]);
  const ratingsKept = async (index: number) =>
    rows<{ strengths: Buffer }>(
      `select strengths from serps join markets m on m.id = market_id
       where store = 'ios' and on_date = $1`,
      [day(index)],
    );

  test('overwrite nothing and change nothing, from the first reading on', async () => {
    const cards = 'select id, rating, rating_count from listings order by id';
    const known = new Map(
      (await rows<{ id: number; rating: number | null }>(cards)).map((row) => [row.id, row]),
    );
    spoil(`${day(4)}T02:00:00Z`);
    for (const index of [4, 5]) {
      await runDay(index);
      expect(await openDrifts()).toEqual(drifting);
      expect(await overwritten()).toEqual([honestLoss()]);
      expect(await lostChanges()).toHaveLength(1);
    }
    for (const { id, rating } of await rows<{ id: number; rating: number | null }>(cards))
      if (known.get(id)?.rating != null) expect(rating).not.toBeNull();
    expect(await lostEvents()).toHaveLength(1);
  });

  test('have unknown numbers, and scores keep the known ratings of results', async () => {
    const numbers = await rows<{ store: string; days: number; known: number }>(
      `select l.store, count(*)::int as days, count(d.rating)::int as known from listing_days d
       join listings l on l.id = d.listing_id where on_date = $1 group by 1 order by 1`,
      [day(5)],
    );
    expect(numbers).toEqual([
      { store: 'android', days: counts.android, known: counts.android },
      { store: 'ios', days: counts.ios, known: 0 },
    ]);
    const before = await ratingsKept(3);
    const after = await ratingsKept(5);
    const known = (kept: { strengths: Buffer }[]) =>
      kept.flatMap(({ strengths }) => unpackStrengths(strengths)).filter((one) => one?.rating);
    expect(known(after).length).toBeGreaterThan(0.9 * known(before).length);
  });

  test('are reported once and then daily, and in the run with their share', async () => {
    const errors = logged.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(2 * drifting.length);
    expect(new Set(errors.map(({ text }) => text)).size).toBe(1);
    const [first] = await rows<{ id: number }>('select min(workspace_id) as id from apps');
    const reader = readerOf(pipeline.db, first!.id, pipeline.clock.now().toISOString());
    const { storeHealth } = await getRun(reader, day(5));
    const drifts = storeHealth.flatMap(({ store, drifts: found }) =>
      found.map(({ source, field, endedAt, lostShare }) => [
        store,
        source,
        field,
        endedAt,
        lostShare,
      ]),
    );
    expect(drifts).toEqual([
      ['ios', 'listing', 'rating', null, 1],
      ['ios', 'listing', 'ratingCount', null, 1],
      ['ios', 'page', 'subtitle', null, 1],
      ['ios', 'search', 'rating', null, 1],
      ['android', 'listing', 'releaseNotes', null, 1],
    ]);
    expect((await getRun(reader, day(3))).storeHealth.flatMap((health) => health.drifts)).toEqual(
      [],
    );
  });

  test('end by themselves once the fields are read again', async () => {
    pipeline.simulator.setFaults([]);
    await runDay(6);
    await runDay(7);
    expect(await openDrifts()).toEqual([]);
    const ended = logged.filter(({ text }) => text === 'a store sends a field again');
    expect(ended).toHaveLength(drifting.length);
    expect(await lostChanges()).toHaveLength(1);
    const [wrong] = await rows<{ count: number }>(
      `select count(*)::int as count from listing_days where rating is null and on_date = $1`,
      [day(6)],
    );
    expect(wrong!.count).toBe(0);
  });
});

describe('a drift', () => {
  const at = { store: 'ios', source: 'page' } as const;
  const services = (fieldWatch: FieldWatch) => ({ ...pipeline.runtime.services, fieldWatch });

  test('is begun once by several processes, and known to all of them', async () => {
    pipeline.clock.set(`${day(8)}T02:00:00Z`);
    const reading = (subject: number) => ({
      subject: String(subject),
      read: [],
      missing: ['subtitle'],
      lost: ['subtitle'],
    });
    const watches = [new FieldWatch(), new FieldWatch(), new FieldWatch()];
    for (const watch of watches) await syncFieldWatch(services(watch));
    const before = logged.length;
    for (const watch of watches.slice(0, 2))
      for (let app = 0; app < 20; app += 1) watch.add({ ...at, day: day(8) }, [reading(app)]);
    await Promise.all(watches.slice(0, 2).map((watch) => syncFieldWatch(services(watch))));
    expect(logged.slice(before).map(({ level }) => level)).toEqual(['error']);
    // The third one learns of it with its next counts.
    watches[2]!.add({ ...at, day: day(8) }, [reading(1)]);
    await syncFieldWatch(services(watches[2]!));
    expect(watches[2]!.listDrifting(at)).toEqual(['subtitle']);
    expect(await openDrifts()).toEqual(['ios page subtitle']);
    expect(
      await rows(
        `select lost from field_days where (store, source, field, on_date)
         = ('ios', 'page', 'subtitle', $1)`,
        [day(8)],
      ),
    ).toEqual([{ lost: 41 }]);
  });

  test('of four weeks is how the store is, and its days count as ordinary', async () => {
    pipeline.clock.set(`${day(37)}T02:00:00Z`);
    await rows(
      `insert into field_days (on_date, store, source, field, missing, lost)
       select $1::date + n, 'ios', 'page', 'subtitle', 20, 20 from generate_series(9, 36) n`,
      [firstDay],
    );
    const watch = new FieldWatch();
    await syncFieldWatch(services(watch));
    expect([await openDrifts(), watch.listDrifting(at)]).toEqual([[], []]);
    for (let app = 0; app < 50; app += 1)
      watch.add({ ...at, day: day(37) }, [
        { subject: String(app), read: [], missing: ['subtitle'], lost: ['subtitle'] },
      ]);
    expect(watch.listDrifting(at)).toEqual([]);
  });

  test('and the counts of a day are deleted after 400 days', async () => {
    const { applyRetention } = await import('#domain/scheduling/retention/apply-retention.ts');
    const left = () => rows('select 1 from field_days union all select 1 from field_drifts');
    // Retention is that of the day after the run before.
    await rows(
      `insert into runs (date, opened_at, state)
       select $1::date + n, $1::date + n, 'finished' from unnest(array[398, 401]) n`,
      [day(37)],
    );
    pipeline.clock.set(`${addDays(day(37), 399)}T02:00:00Z`);
    await applyRetention(pipeline.runtime.services, new AbortController().signal);
    expect((await left()).length).toBeGreaterThan(0);
    pipeline.clock.set(`${addDays(day(37), 402)}T02:00:00Z`);
    await applyRetention(pipeline.runtime.services, new AbortController().signal);
    expect(await left()).toEqual([]);
  });
});
