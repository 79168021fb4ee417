import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertJob } from '#db/queries/jobs/jobs.ts';
import { inTenant } from '#domain/base/context.ts';
import { acceptAppRefresh } from '#domain/base/jobs/accept-job.ts';
import { registry } from '#jobs/registry.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** The planned work that a job waits for, by the rows its payload names. */
async function plannedKindsOf(jobId: number): Promise<string[]> {
  const { rows } = await api.db.pool.query('select kind, payload from jobs where id = $1', [jobId]);
  const {
    marketIds = [],
    listingId,
    storeTaskIds = [],
  } = rows[0].payload as {
    marketIds?: number[];
    listingId?: number;
    storeTaskIds?: number[];
  };
  const tasks = await api.db.pool.query(
    'select distinct kind from store_tasks where id = any($1) order by kind',
    [storeTaskIds],
  );
  return [
    ...(marketIds.length > 0 ? ['rank-check'] : []),
    ...(listingId === undefined ? [] : ['app-refresh']),
    ...tasks.rows.map((row) => row.kind as string),
  ].toSorted();
}

it('every accepted store job waits for the work that the registry plans', async () => {
  const me: Account = await api.signUp();
  const { id, listingId } = await insertApp(api, me);
  const params = { id };
  const added = await api.ok(
    'POST /apps/{id}/keywords',
    { params, body: { phrases: ['named work'], countries: ['us'] } },
    me,
  );
  const { items } = await api.ok('GET /apps/{id}/keywords', { params }, me);
  const keywordId = items[0]!.id;
  const accepted = {
    'first-check': added.job!,
    'run-daily': (await api.ok('POST /apps/{id}/run-daily', { params }, me)).job,
    'keyword-check': (
      await api.ok('POST /apps/{id}/keywords/check', { params, body: { ids: [keywordId] } }, me)
    ).job!,
    'app-refresh': await inTenant(me.ctx, (tx) =>
      acceptAppRefresh(tx, me.ctx, { appId: id, listingId }),
    ),
    'review-sync': (await api.ok('POST /apps/{id}/reviews/sync', { params }, me)).job,
    score: (await api.ok('POST /keywords/{keywordId}/score', { params: { keywordId } }, me)).job,
  };
  const found = Object.fromEntries(
    await Promise.all(
      Object.entries(accepted).map(async ([kind, job]) => [kind, await plannedKindsOf(job.id)]),
    ),
  );
  expect(Object.values(accepted).map(({ kind }) => kind)).toEqual(Object.keys(accepted));
  expect(found).toEqual(
    Object.fromEntries(
      Object.entries(registry.storeJobs).map(([kind, planned]) => [kind, planned.toSorted()]),
    ),
  );
});

it('a request whose duplicate ends meanwhile is accepted as a job of its own', async () => {
  const me = await api.signUp();
  const { id } = await insertApp(api, me);
  const request = { params: { id } };
  const first = (await api.ok('POST /apps/{id}/run-daily', request, me)).job;
  const job = { workspaceId: me.workspaceId, appId: id, kind: 'run-daily' as const };
  const key = await api.db.pool.query('select dedupe_key from jobs where id = $1', [first.id]);
  const duplicate = {
    ...job,
    dedupeKey: key.rows[0].dedupe_key as string,
    payload: {},
    total: 0,
    queuedAt: api.services.clock.now(),
  };
  const insert = (afterStatement: () => Promise<unknown>) =>
    inTenant(me.ctx, (tx) =>
      insertJob(
        tx.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            await afterStatement();
            return result;
          },
        }),
        duplicate,
      ),
    );
  expect(await insert(async () => {})).toMatchObject({ id: BigInt(first.id), deduped: true });
  const endFirst = "update jobs set state = 'succeeded', finished_at = now() where id = $1";
  const second = await insert(() => api.db.pool.query(endFirst, [first.id]));
  expect(second).toMatchObject({ state: 'queued', deduped: false });
  expect(second.id).toBeGreaterThan(BigInt(first.id));
});
