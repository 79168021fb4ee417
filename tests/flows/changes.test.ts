import { afterAll, beforeAll, expect, test } from 'vitest';
import { listChanges } from '#domain/tracking/changes/list-changes.ts';
import { getTimeline } from '#domain/insights/timeline/get-timeline.ts';
import { addDays } from '#lib/dates.ts';
import { readerOf } from '../harness/history.ts';
import { startPipeline, type Pipeline, type TrackedMarket } from '../harness/pipeline.ts';

const firstDay = '2026-05-10';
const releaseDay = addDays(firstDay, 3);
const days = 6;
const apps = [
  { store: 'ios', storeAppId: '1500000001' },
  { store: 'android', storeAppId: 'app.lumen.habits' },
] as const;
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = await startPipeline({
    day: firstDay,
    simulator: { world: { apps: 300, resultsPerSearch: 60, androidMode: 'web30' } },
  });
});
afterAll(() => pipeline.close());

/** The world's calendar of a day; only overridden releases change a name or a subtitle. */
const ofCalendar = new Set(['version', 'releaseNotes']);

test('a release is found on its day in every country and store, and nothing else is', async () => {
  const tracked: TrackedMarket[] = [];
  for (const app of apps)
    tracked.push(
      ...(await pipeline.track(
        app,
        ['us', 'de'].map((country) => ({ phrase: 'habit tracker', country })),
      )),
    );
  pipeline.simulator.addOverrides({
    releases: apps.map((app) => ({
      ...app,
      day: releaseDay,
      fields: { title: 'Lumen: Streaks', subtitle: 'Streaks and goals', version: '77.0' },
    })),
  });
  for (let index = 0; index < days; index += 1) await pipeline.runDay(addDays(firstDay, index));
  const { rows } = await pipeline.db.pool.query<{ id: number; workspace: number; store: string }>(
    'select a.id, a.workspace_id as workspace, l.store from apps a join listings l on l.id = ' +
      'a.listing_id',
  );
  expect([rows.length, tracked.length]).toEqual([2, 4]);
  for (const { id, workspace, store } of rows) {
    const reader = readerOf(pipeline.db, workspace, `${addDays(firstDay, days)}T00:00:00Z`);
    const { items } = await listChanges(reader, { appId: id, limit: 500 });
    const found = items.map((item) => ({
      day: item.detectedAt.slice(0, 10),
      country: item.country,
      field: item.field,
      after: item.after,
    }));
    const overridden = ['de', 'us'].flatMap((country) => [
      { day: releaseDay, country, field: 'name', after: 'Lumen: Streaks' },
      // Google Play calls it the short description.
      {
        day: releaseDay,
        country,
        field: store === 'ios' ? 'subtitle' : 'summary',
        after: 'Streaks and goals',
      },
    ]);
    const byName = (
      a: { country: string; field: string },
      b: { country: string; field: string },
    ) => (a.country + a.field < b.country + b.field ? -1 : 1);
    expect(found.filter((change) => !ofCalendar.has(change.field)).toSorted(byName)).toEqual(
      overridden,
    );
    expect(
      found
        .filter((change) => change.after === '77.0')
        .map(({ day, country }) => `${day} ${country}`)
        .toSorted(),
    ).toEqual([`${releaseDay} de`, `${releaseDay} us`]);
    const timeline = await getTimeline(reader, id, { limit: 500, kind: ['version'] });
    expect(timeline.items.find((item) => item.title === 'Version 77.0')).toMatchObject({
      date: releaseDay,
      countries: ['de', 'us'],
    });
  }
});
