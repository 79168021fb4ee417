import { afterAll, beforeAll, expect, test } from 'vitest';
import { plans } from '#domain/base/plans/plans.ts';
import { dispatchStore } from '#domain/scheduling/runs/dispatch-store-work.ts';
import type { StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { schedule } from '../harness/background-work.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startPipeline, type Pipeline } from '../harness/pipeline.ts';

keepOrder('the second workspace adds while the first one waits');

const day = '2026-06-01';
let pipeline: Pipeline;
let api: TestApi;
let greedy: { account: Account; appId: number };
let other: { account: Account; appId: number };

beforeAll(async () => {
  pipeline = await startPipeline({
    day,
    work: false,
    environment: { SCRAPE_IOS_RPM: '15', BILLING_ENABLED: 'true', PUBLIC_URL: 'http://localhost' },
    simulator: { world: { apps: 300 } },
  });
  const { db, clock, runtime } = pipeline;
  api = await startApi({ db, clock, services: runtime.services });
  const join = async (storeAppId: string) => {
    const account = await api.signUp();
    const { app } = await api.ok('POST /apps', { body: { store: 'ios', storeAppId } }, account);
    return { account, appId: app.id };
  };
  greedy = await join('1500000001');
  const market = { store: 'ios', phrase: 'habit tracker', country: 'us', day } as const;
  other = await join(pipeline.simulator.order(market)[8]!);
});
afterAll(async () => {
  await api.close();
  await pipeline.close();
});

const add = ({ account, appId }: typeof greedy, phrases: string[]) =>
  api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body: { phrases, countries: ['us'] } },
    account,
  );
const phrasesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}`);

/** The phrases of the urgent checks that one tick enqueues, in their order. */
async function dispatchUrgent(): Promise<string[]> {
  const checks: number[] = [];
  const send = async (_: string, work: StoreWork[]) =>
    void checks.push(...work.flatMap((job) => (job.kind === 'rank-check' ? [job.marketId] : [])));
  const dispatcher = { send, sendBackground: async () => undefined };
  await dispatchStore(pipeline.runtime.services, dispatcher, 'ios', undefined, schedule.store);
  const { rows } = await pipeline.db.pool.query<{ id: number; phrase: string }>(
    'select id, phrase from markets where id = any($1)',
    [checks],
  );
  return checks.map((id) => rows.find((row) => row.id === id)!.phrase);
}

test('a first check is not delayed by the many that another workspace requested', async () => {
  await add(greedy, phrasesOf('greedy', 100));
  // Deleted and added again, as somebody does who wants to be served always.
  const { added } = await add(greedy, phrasesOf('again', 100));
  await api.ok(
    'POST /apps/{id}/keywords/delete',
    { params: { id: greedy.appId }, body: { ids: added.map(({ id }) => id) } },
    greedy.account,
  );
  await add(greedy, phrasesOf('again', 100));
  await add(other, phrasesOf('other', 3));
  const first = await dispatchUrgent();
  expect(first).toHaveLength(8);
  expect(first.filter((phrase) => phrase.startsWith('other'))).toEqual([
    'other 0',
    'other 1',
    'other 2',
  ]);
  expect(first.indexOf('other 0')).toBeLessThan(2);
  expect(first.indexOf('other 2')).toBeLessThan(6);
});

test('only as many urgent checks are in the queue as the next seconds take', async () => {
  expect(await dispatchUrgent()).toEqual([]);
});

test('beyond the plan’s allowance new keywords wait for the daily run', async () => {
  await pipeline.db.pool.query(
    `insert into on_demand_hours (workspace_id, kind, hour, uses)
     select workspace_id, 'first-check', $2, $3 from apps where id = $1
     on conflict (workspace_id, kind, hour) do update set uses = excluded.uses`,
    [other.appId, `${day}T00:00:00Z`, plans.indie.firstChecksPerDay - 1],
  );
  const { job } = await add(other, ['allowed now']);
  expect(job).not.toBeNull();
  const later = await add(other, ['waits for the run', 'waits too']);
  expect(later.added).toHaveLength(2);
  expect(later.job).toBeNull();
  const { rows } = await pipeline.db.pool.query(
    `select 1 from market_schedule s join markets m on m.id = s.market_id
     where m.phrase like 'waits%' and s.depth > 0 and s.urgent_at is null`,
  );
  expect(rows).toHaveLength(2);
});

test('resumed keywords and those of a restored app take from the same allowance', async () => {
  const { account, appId } = other;
  const params = { id: appId };
  const urgentPhrases = async () => {
    const { rows } = await pipeline.db.pool.query<{ phrase: string }>(
      `select m.phrase from market_schedule s join markets m on m.id = s.market_id
       where s.urgent_at is not null and m.phrase in ('allowed now', 'waits for the run')
       order by 1`,
    );
    return rows.map(({ phrase }) => phrase);
  };
  const allow = (count: number) =>
    pipeline.db.pool.query(
      `update on_demand_hours set uses = $1
       where workspace_id = $2 and kind = 'first-check'`,
      [plans.indie.firstChecksPerDay - count, account.workspaceId],
    );
  const { items } = await api.ok('GET /apps/{id}/keywords', { params }, account);
  const ids = items
    .filter(({ phrase }) => ['allowed now', 'waits for the run'].includes(phrase))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
  const set = (paused: boolean) =>
    api.ok('POST /apps/{id}/keywords/update', { params, body: { ids, set: { paused } } }, account);
  const notUrgent = () => pipeline.db.pool.query('update market_schedule set urgent_at = null');

  await set(true);
  await notUrgent();
  await allow(1);
  await set(false);
  expect(await urgentPhrases()).toEqual(['allowed now']);

  await api.ok('DELETE /apps/{id}', { params }, account);
  await notUrgent();
  await api.ok('POST /apps/{id}/restore', { params }, account);
  expect(await urgentPhrases()).toEqual([]);
  await api.ok('DELETE /apps/{id}', { params }, account);
  await allow(items.length);
  await api.ok('POST /apps/{id}/restore', { params }, account);
  expect(await urgentPhrases()).toEqual(['allowed now', 'waits for the run']);
});
