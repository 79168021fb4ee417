import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBackgroundJob } from '#db/queries/jobs/background-jobs.ts';
import {
  failCrashedJob,
  retryCrashedJobs,
} from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { deleteExpired } from '#domain/transfer/exports/workspace-exports.ts';
import { purgeHistoryImports } from '#domain/transfer/history/imports.ts';
import { purgeImportParts } from '#domain/transfer/imports/workspace-imports.ts';
import { purgePopularityParts } from '#domain/transfer/popularity/imports.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { jobKinds } from '../harness/background-work.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { uploadHistory } from './history-imports.fixtures.ts';
import { makeFile, sampleRows } from './imports.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';
import { makeMonth, uploadPopularity } from './popularity.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const dayMs = 86_400_000;
const idIn = (path: string): number => Number(path.split('/').at(-1));

interface Requested {
  jobId: number;
  /** The row that has the result of the job. */
  read(): Promise<object>;
}

const kinds: { name: string; request(who: Account): Promise<Requested>; expected: object }[] = [
  {
    name: 'an export',
    expected: { state: 'succeeded', download: expect.any(String) },
    request: async (who) => {
      const { job, poll } = await api.ok('POST /workspace/exports', { body: {} }, who);
      const params = { exportId: idIn(poll) };
      const read = () => api.ok('GET /workspace/exports/{exportId}', { params }, who);
      return { jobId: job.id, read };
    },
  },
  {
    name: 'an import',
    expected: { state: 'succeeded', refusal: null, report: expect.any(Object) },
    request: async (who) => {
      const text = makeFile(sampleRows());
      const part = { params: { part: 1 }, body: { text } };
      await api.ok('PUT /workspace/imports/parts/{part}', part, who);
      const body = { format: 'ndjson' as const, parts: 1 };
      const asked = await api.ok('POST /workspace/imports', { body }, who);
      const { job, poll } = asked as { job: { id: number }; poll: string };
      const params = { importId: idIn(poll) };
      const read = () => api.ok('GET /workspace/imports/{importId}', { params }, who);
      return { jobId: job.id, read };
    },
  },
  {
    name: 'a history',
    expected: { phase: 'checked', refusal: null, counts: { written: 0, known: 0, refused: 1 } },
    request: async (who) => {
      const { id: appId } = await insertApp(api, who);
      const file = 'Keyword,Rank,Date\nhabit,4,2026-08-20\n';
      const { importId } = await uploadHistory(api, who, { appId, file });
      const params = { importId };
      const preview = { params, body: {} };
      const { reading } = await api.ok('POST /history-imports/{importId}/preview', preview, who);
      const body = { parts: 1, reading: { ...reading, country: 'us' } };
      const { job } = await api.ok(
        'POST /history-imports/{importId}/checks',
        { params, body },
        who,
      );
      const read = () => api.ok('GET /history-imports/{importId}', { params }, who);
      return { jobId: job.id, read };
    },
  },
  {
    name: 'published popularity',
    expected: { state: 'succeeded', refusal: null },
    request: async (who) => {
      await api.db.pool.query('update users set operator = true where id = $1', [who.userId]);
      const importId = await uploadPopularity(api, who, makeMonth('2026-09', { perGenre: 1 }));
      const { rows } = await api.db.pool.query(
        'select job_id::int as id from popularity_imports where id = $1',
        [importId],
      );
      const params = { importId };
      const read = () => api.ok('GET /popularity/imports/{importId}', { params }, who);
      return { jobId: rows[0].id, read };
    },
  },
];

async function purge(): Promise<void> {
  await deleteExpired(api.services);
  await purgeImportParts(api.services);
  await purgeHistoryImports(api.services);
  await purgePopularityParts(api.services);
}

async function crash(id: number): Promise<void> {
  const { systemDb, clock } = api.services;
  await startBackgroundJob(systemDb, { id, now: clock.now(), kinds: jobKinds });
  await failCrashedJob(api.services, id);
}

describe.each(kinds)('the file of $name', ({ request, expected }) => {
  test('is kept while its job is tried again, which crashed its worker', async () => {
    const { jobId, read } = await request(await api.signUp());
    await crash(jobId);
    for (let day = 0; day < 5; day += 1) {
      api.clock.advance(dayMs);
      await purge();
      await retryCrashedJobs(api.services);
      if (day < 4) await crash(jobId);
    }
    await runAcceptedJobs(api);
    expect(await read()).toMatchObject(expected);
  });

  test('is kept while its job waits for a worker', async () => {
    const { read } = await request(await api.signUp());
    api.clock.advance(3 * dayMs);
    await purge();
    await runAcceptedJobs(api);
    expect(await read()).toMatchObject(expected);
  });

  test('is deleted after a week, and then a retry fails and says so', async () => {
    const who = await api.signUp();
    // A session ends earlier.
    const token = await api.token(who);
    const { jobId } = await request(who);
    await crash(jobId);
    api.clock.advance(8 * dayMs);
    await purge();
    const params = { jobId };
    await api.ok('POST /jobs/{jobId}/retry', { params }, token);
    await runAcceptedJobs(api);
    expect(await api.ok('GET /jobs/{jobId}', { params }, token)).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: expect.stringContaining('was deleted meanwhile'),
    });
  });
});
