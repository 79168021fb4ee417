import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#domain/base/errors.ts';
import {
  runBackgroundJob,
  type BackgroundJob,
} from '#domain/scheduling/background-jobs/run-background-job.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { jobKinds } from '../harness/background-work.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

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
    const who = await api.signUp();
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part: 1 }, body: { text: 'words' } },
      who,
    );
    const { job } = (await api.ok(
      'POST /workspace/imports',
      { body: { format: 'ndjson', parts: 1 } },
      who,
    )) as { job: { id: number } };
    const services = { ...api.services, listingCache: new ListingCache() };
    const failing: BackgroundJob = {
      name: 'import',
      retry: { delaysMs: [1_000, 4_000] },
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
    }
    expect(states).toEqual([
      ['queued', 1],
      ['queued', 2],
      ['failed', 3],
      ['failed', 3],
    ]);
    const reported = await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, who);
    expect([reported.state, reported.error]).toEqual(['failed', expect.stringContaining(words)]);
    expect(reported.error).not.toMatch(/10\.0\.0\.7|secret|canceling/);
  },
);
