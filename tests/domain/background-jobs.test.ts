import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  completeBackgroundJob,
  startBackgroundJob,
  takeBackgroundJobs,
} from '#db/queries/jobs/background-jobs.ts';
import { AppError } from '#domain/base/errors.ts';
import { PermanentFailure } from '#domain/base/jobs/permanent-failure.ts';
import {
  runBackgroundJob,
  type BackgroundJob,
} from '#domain/scheduling/background-jobs/run-background-job.ts';
import { dispatchBackgroundJobs } from '#domain/scheduling/runs/dispatch-background-jobs.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import {
  failCrashedJob,
  retryCrashedJobs,
} from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { createDispatcher } from '#jobs/dispatcher.ts';
import { registry } from '#jobs/registry.ts';
import { scheduleOf } from '#jobs/schedule.ts';
import type { QueueJob } from '#queue/queue.ts';
import { acceptWordsImport } from '../api/imports.fixtures.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { jobKinds } from '../harness/background-work.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function acceptImport() {
  const who = await api.signUp();
  return { who, job: { id: await acceptWordsImport(api, who) } };
}

test.each([
  [
    'a limit of the database',
    Object.assign(new Error('canceling statement'), { code: '57014' }),
    'cancelled a slow statement',
  ],
  [
    'a database that is down',
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
    'could not be reached',
  ],
  [
    'our own refusal',
    new AppError('unavailable', 'The payment provider gave no usable response.'),
    'The payment provider gave no usable response.',
  ],
  ['an unexpected error', new Error('duplicate key value: secret'), 'the log says why'],
])(
  '%s: after three attempts the job reports the reason if it is known and public',
  async (_name, error, words) => {
    const { who, job } = await acceptImport();
    const services = { ...api.services, listingCache: new ListingCache() };
    const failing: BackgroundJob = {
      name: 'import',
      retry: { delaysMs: [1_000, 4_000] },
      stateBeforeRetry: 'running',
      timeoutMs: 60_000,
      run: () => Promise.reject(error),
    };
    const states: unknown[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const table = { jobs: [failing], kinds: jobKinds };
      await runBackgroundJob(services, table, job.id, new AbortController().signal);
      const { state, attempts } = await api.ok(
        'GET /jobs/{jobId}',
        { params: { jobId: job.id } },
        who,
      );
      states.push([state, attempts]);
      const params = { jobId: job.id };
      expect((await api.call('POST /jobs/{jobId}/cancel', { params }, who)).status).toBe(400);
    }
    expect(states).toEqual([
      ['running', 1],
      ['running', 2],
      ['failed', 3],
      ['failed', 3],
    ]);
    const reported = await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, who);
    expect([reported.state, reported.error]).toEqual(['failed', expect.stringContaining(words)]);
    expect(reported.error).not.toMatch(/10\.0\.0\.7|secret|canceling/);
  },
);

test('a job that fails for good is not tried again, and its error is the reason', async () => {
  const { who, job } = await acceptImport();
  const failing: BackgroundJob = {
    name: 'import',
    retry: { delaysMs: [1_000, 4_000] },
    stateBeforeRetry: 'running',
    timeoutMs: 60_000,
    run: () => Promise.reject(new PermanentFailure('the file would be too large')),
  };
  const services = { ...api.services, listingCache: new ListingCache() };
  const table = { jobs: [failing], kinds: jobKinds };
  await runBackgroundJob(services, table, job.id, new AbortController().signal);
  const ended = await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, who);
  expect(ended).toMatchObject({
    state: 'failed',
    attempts: 1,
    error: 'the file would be too large',
  });
});

test('restarts and kills use up no attempt of a job, and its error counts failures', async () => {
  const { who, job } = await acceptImport();
  const services = { ...api.services, listingCache: new ListingCache() };
  const importing = (run: BackgroundJob['run']): BackgroundJob => ({
    name: 'import',
    retry: { delaysMs: [1_000] },
    stateBeforeRetry: 'running',
    timeoutMs: 60_000,
    run,
  });
  const start = (run: BackgroundJob['run'], signal = AbortSignal.timeout(60_000)) =>
    runBackgroundJob(services, { jobs: [importing(run)], kinds: jobKinds }, job.id, signal);
  const read = () => api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, who);
  for (let time = 0; time < 3; time += 1) {
    const worker = new AbortController();
    const stopped = start(async (_services, _row, signal) => {
      worker.abort(new Error('the worker stops'));
      signal.throwIfAborted();
      return null;
    }, worker.signal);
    await expect(stopped).rejects.toThrow('the worker stops');
    // Killed after its start.
    const { systemDb, clock } = api.services;
    await startBackgroundJob(systemDb, { id: job.id, now: clock.now(), kinds: jobKinds });
  }
  expect(await read()).toMatchObject({ state: 'running', attempts: 0 });
  const fail = () => Promise.reject(new AppError('unavailable', 'The disk is full.'));
  await start(fail);
  expect(await read()).toMatchObject({ state: 'running', attempts: 1, error: null });
  await start(fail);
  expect(await read()).toMatchObject({
    state: 'failed',
    attempts: 2,
    error: 'it failed 2 times, at last because: The disk is full.',
  });
});

test('a failed job has nothing done, and a retry keeps its total', async () => {
  const { who, job } = await acceptImport();
  const failing: BackgroundJob = {
    name: 'import',
    retry: { delaysMs: [] },
    stateBeforeRetry: 'running',
    timeoutMs: 60_000,
    run: () => Promise.reject(new Error('a bug')),
  };
  const services = { ...api.services, listingCache: new ListingCache() };
  const table = { jobs: [failing], kinds: jobKinds };
  await runBackgroundJob(services, table, job.id, AbortSignal.timeout(60_000));
  const params = { jobId: job.id };
  const progress = { done: 0, total: 1 };
  expect(await api.ok('GET /jobs/{jobId}', { params }, who)).toMatchObject({
    state: 'failed',
    progress,
  });
  expect(await api.ok('POST /jobs/{jobId}/retry', { params }, who)).toMatchObject({
    state: 'queued',
    progress,
  });
});

test('the newest crashed job for the same work is tried again, and those of others', async () => {
  const { systemDb } = api.services;
  const [one, other] = [await acceptImport(), await acceptImport()];
  await failCrashedJob(api.services, one.job.id);
  const again = await acceptWordsImport(api, one.who);
  await failCrashedJob(api.services, again);
  await failCrashedJob(api.services, other.job.id);
  api.clock.advance(86_400_000);
  await retryCrashedJobs(api.services);
  const stateOf = async (who: Account, jobId: number) =>
    (await api.ok('GET /jobs/{jobId}', { params: { jobId } }, who)).state;
  const states = async () => [
    await stateOf(one.who, one.job.id),
    await stateOf(one.who, again),
    await stateOf(other.who, other.job.id),
  ];
  expect(await states()).toEqual(['failed', 'queued', 'queued']);
  await completeBackgroundJob(systemDb, again, {
    state: 'succeeded',
    error: null,
    result: null,
    now: api.clock.now(),
  });
  await retryCrashedJobs(api.services);
  expect(await states()).toEqual(['failed', 'succeeded', 'queued']);
});

test('a job that crashed its worker fails, and runs again if retried or a day later', async () => {
  const { who, job } = await acceptImport();
  const { systemDb, clock } = api.services;
  const params = { jobId: job.id };
  const crash = async () => {
    await startBackgroundJob(systemDb, { id: job.id, now: clock.now(), kinds: jobKinds });
    await failCrashedJob(api.services, job.id);
  };
  const take = async () => {
    const now = new Date(clock.now().getTime() + 3_600_000);
    const lease = { now, until: now, limit: 100, kinds: jobKinds };
    return (await takeBackgroundJobs(systemDb, lease)).some(({ id }) => id === job.id);
  };
  await crash();
  expect(await api.ok('GET /jobs/{jobId}', { params }, who)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('crashed three times while nothing else ran'),
  });
  expect(await take()).toBe(false);
  await api.ok('POST /jobs/{jobId}/retry', { params }, who);
  expect(await take()).toBe(true);

  await crash();
  const taken: boolean[] = [];
  for (let day = 0; day < 9; day += 1) {
    api.clock.advance(86_400_000 - 1);
    await retryCrashedJobs(api.services);
    expect(await take()).toBe(false);
    api.clock.advance(1);
    await retryCrashedJobs(api.services);
    taken.push(await take());
    if (taken.at(-1)) await crash();
  }
  expect(taken.filter(Boolean)).toHaveLength(6);
});

test('many jobs of one workspace do not delay one of another', async () => {
  const [many, one] = [await api.signUp(), await api.signUp()];
  api.clock.advance(86_400_000);
  const { systemDb, clock } = api.services;
  await api.db.pool.query(
    "update jobs set state = 'succeeded' where state in ('queued', 'running')",
  );
  const addJobs = (who: Account, count: number) =>
    api.db.pool.query(
      `insert into jobs (workspace_id, kind, queued_at)
       select $1, 'recompute', $2 from generate_series(1, $3)`,
      [who.workspaceId, clock.now(), count],
    );
  const added: QueueJob[] = [];
  const addAll = async (jobs: QueueJob[]) => void added.push(...jobs);
  const dispatcher = createDispatcher({ queue: () => ({ addAll }) } as never, registry);
  const { backgroundJobs } = scheduleOf(registry);
  const background = backgroundJobs.find(({ queue }) => queue === 'background')!;
  const dispatch = () => dispatchBackgroundJobs(api.services, dispatcher, background);

  await addJobs(many, background.batchSize + 20);
  await dispatch();
  await addJobs(one, 2);
  await dispatch();
  const { rows } = await api.db.pool.query<{ id: number }>(
    'select id::int from jobs where workspace_id = $1 order by id',
    [one.workspaceId],
  );
  const mine = new Set(rows.map(({ id }) => `job_${id}`));
  const inOrder = added
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ id }) => mine.has(id))
    .map((isMine, index) => (isMine ? index : null));
  expect(inOrder.filter((index) => index !== null)).toEqual([1, 3]);
  expect(added).toHaveLength(background.batchSize + 22);
  expect(
    await takeBackgroundJobs(systemDb, { ...leaseNow(), limit: 100, kinds: jobKinds }),
  ).toEqual([]);
});

test('a job that waits longer than any lease or pause is taken: a clock was ahead', async () => {
  const { job } = await acceptImport();
  const takeAt = async (untilMs: number) => {
    const at = new Date(api.clock.now().getTime() + untilMs);
    await api.db.pool.query('update jobs set queued_until = $1 where id = $2', [at, job.id]);
    const lease = { ...leaseNow(), limit: 100, kinds: jobKinds };
    return (await takeBackgroundJobs(api.services.systemDb, lease)).find(({ id }) => id === job.id);
  };
  expect(await takeAt(15 * 3_600_000)).toBeUndefined();
  expect(await takeAt(17 * 3_600_000)).toEqual({ id: job.id, round: 1 });
});

const leaseNow = () => ({ now: api.clock.now(), until: new Date(api.clock.now().getTime() + 1) });
