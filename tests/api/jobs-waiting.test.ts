import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeBackgroundJobs } from '#db/queries/jobs/background-jobs.ts';
import { purgeImportParts } from '#domain/transfer/imports/workspace-imports.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { startAdminApi } from '../harness/admin-api.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { makeFile, sampleRows } from './imports.fixtures.ts';
import { jobKinds } from '../harness/background-work.ts';

let api: TestApi;
let operator: Account;
beforeAll(async () => {
  ({ api, operator } = await startAdminApi());
});
afterAll(() => api.close());

const idIn = (path: string): number => Number(path.split('/').at(-1));

/** Work of each kind that can be requested, accepted in a workspace with a plan. */
async function ask() {
  const ann = await api.signUp();
  const params = { id: ann.workspaceId };
  await api.ok('PUT /admin/workspaces/{id}/plan', { params, body: { plan: 'indie' } }, operator);
  await api.ok(
    'PUT /workspace/imports/parts/{part}',
    { params: { part: 1 }, body: { text: makeFile(sampleRows()) } },
    ann,
  );
  const asked = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts: 1 } },
    ann,
  )) as { poll: string };
  await api.ok('POST /scores/recompute', { body: { scope: 'workspace' } }, ann);
  await api.ok('POST /actions/run', null, ann);
  await api.ok('POST /workspace/exports', { body: {} }, ann);
  return { ann, params, importId: idIn(asked.poll) };
}

const statesOf = async (who: Account) =>
  Object.fromEntries(
    (await api.ok('GET /jobs', null, who)).items.map(({ kind, state }) => [kind, state]),
  );
const countApps = async (who: Account) => (await api.ok('GET /apps', null, who)).total;

test.each([
  [
    'suspended',
    { import: 'queued', recompute: 'queued', 'actions-run': 'queued', export: 'succeeded' },
  ],
  [
    'lapsed',
    { import: 'queued', recompute: 'queued', 'actions-run': 'succeeded', export: 'succeeded' },
  ],
] as const)(
  'accepted jobs wait while the workspace is %s, for days, and then run',
  async (state, expected) => {
    const { ann, params, importId } = await ask();
    if (state === 'suspended')
      await api.ok(
        'POST /admin/workspaces/{id}/suspend',
        { params, body: { reason: 'a test' } },
        operator,
      );
    else
      await api.ok('PUT /admin/workspaces/{id}/plan', { params, body: { plan: null } }, operator);
    await runAcceptedJobs(api);
    expect([await statesOf(ann), await countApps(ann)]).toEqual([expected, 0]);
    api.clock.advance(3 * 86_400_000);
    await purgeImportParts(api.services);
    await runAcceptedJobs(api);
    expect([await statesOf(ann), await countApps(ann)]).toEqual([expected, 0]);

    if (state === 'suspended')
      await api.ok('POST /admin/workspaces/{id}/unsuspend', { params }, operator);
    else
      await api.ok(
        'PUT /admin/workspaces/{id}/plan',
        { params, body: { plan: 'indie' } },
        operator,
      );
    await runAcceptedJobs(api);
    expect(await statesOf(ann)).toMatchObject({
      import: 'succeeded',
      recompute: 'succeeded',
      'actions-run': 'succeeded',
      export: 'succeeded',
    });
    expect(
      (await api.ok('GET /workspace/imports/{importId}', { params: { importId } }, ann)).refusal,
    ).toBeNull();
    expect(await countApps(ann)).toBe(1);
  },
);

test('a job that a worker holds does not start after a suspension', async () => {
  const { ann, params } = await ask();
  const now = api.clock.now();
  const taken = await takeBackgroundJobs(api.services.systemDb, {
    now,
    until: new Date(now.getTime() + 120_000),
    limit: 100,
    kinds: jobKinds,
  });
  await api.ok(
    'POST /admin/workspaces/{id}/suspend',
    { params, body: { reason: 'a test' } },
    operator,
  );
  const services = { ...api.services, listingCache: new ListingCache() };
  for (const { id: jobId } of taken)
    await runBackgroundWork(
      registry,
      services,
      { kind: 'job', jobId },
      AbortSignal.timeout(60_000),
    );
  expect([await statesOf(ann), await countApps(ann)]).toEqual([
    { import: 'queued', recompute: 'queued', 'actions-run': 'queued', export: 'succeeded' },
    0,
  ]);
});
