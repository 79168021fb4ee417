import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Credential, type TestApi } from '../harness/api.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';
import { trackApp } from '../api/actions.fixtures.ts';

const day = '2026-03-01';
let pipeline: Pipeline;
let api: TestApi;

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    simulator: { world: { apps: 400, resultsPerSearch: 60, androidMode: 'web30' } },
  });
  api = await startApi({ db: pipeline.db, clock: pipeline.clock });
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

test('actions are generated once after the day’s checks, with the run’s findings', async () => {
  const ann = await api.signUp();
  const caller: Credential = await api.token(ann);
  const app = await trackApp(api, ann, { storeAppId: '1500000001' });
  const body = { phrases: ['habit tracker', 'mood journal', 'daily planner'], countries: ['us'] };
  await api.ok('POST /apps/{id}/keywords', { params: { id: app.id }, body }, ann);
  await pipeline.runDay(day);
  const jobs = async () =>
    (await api.ok('GET /jobs', { query: { kind: 'actions-run' } as never }, caller)).items;
  for (
    let ticks = 0;
    ticks < 100 && !(await jobs()).some((job) => job.state === 'succeeded');
    ticks += 1
  ) {
    pipeline.clock.advance(60_000);
    await pipeline.tick();
  }
  const [job] = await jobs();
  expect((await jobs()).map((one) => one.state)).toEqual(['succeeded']);
  for (let ticks = 0; ticks < 5; ticks += 1) {
    pipeline.clock.advance(60_000);
    await pipeline.tick();
  }
  expect((await jobs()).map((one) => one.id)).toEqual([job!.id]);
  expect((await api.ok('POST /actions/run', null, caller)).job).toMatchObject({
    id: job!.id,
    deduped: true,
  });

  const { items } = await api.ok('GET /actions', null, caller);
  const reported = await api.ok('GET /events', { query: { type: 'action.opened' } }, caller);
  expect(
    reported.items.map((event) => (event.data as { actionId: number }).actionId).toSorted(),
  ).toEqual(items.map((item) => item.id).toSorted());
  const overview = await api.ok('GET /apps/{id}/overview', { params: { id: app.id } }, caller);
  expect(overview.openActions).toBe(
    items.filter((item) => item.state === 'open' && item.appId === app.id).length,
  );
  const texts = await pipeline.db.pool.query(
    'select fields from snapshots where listing_id = $1 order by id desc limit 1',
    [app.listingId],
  );
  const { name, subtitle } = texts.rows[0].fields as { name: string; subtitle: string | null };
  const unused = items.find((item) => item.type === 'unused-title');
  const isRoomy = [...name].length <= 20 || [...(subtitle ?? '')].length <= 20;
  expect(unused !== undefined).toBe(isRoomy);
  expect(
    items.filter((item) =>
      ['rank-drop', 'hopeless-keyword', 'striking-distance'].includes(item.type),
    ),
  ).toEqual([]);
});
