import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { doHouseJob } from '../../src/domain/jobs/house-work.ts';
import { ListingCache } from '../../src/domain/listings/listing-cache.ts';
import { startApi, type TestApi } from '../harness/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test.each([
  [
    'a limit of the database',
    Object.assign(new Error('canceling statement'), { code: '57014' }),
    'longer than it may',
  ],
  [
    'a database that is away',
    Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
    'could not be reached',
  ],
  [
    'a refusal of ours',
    new AppError('unavailable', 'The payment provider gave no usable answer.'),
    'The payment provider gave no usable answer.',
  ],
  ['what nobody foresaw', new Error('duplicate key value: secret'), 'the log says why'],
])(
  '%s: after three tries the job tells the reason, where it is known and anybody may read it',
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
    const attempt = () =>
      doHouseJob(
        services,
        [{ kind: 'import', run: () => Promise.reject(error) }],
        job.id,
        new AbortController().signal,
      ).then(
        () => 'ended',
        () => 'to be tried again',
      );
    expect([await attempt(), await attempt(), await attempt()]).toEqual([
      'to be tried again',
      'to be tried again',
      'ended',
    ]);
    const told = await api.ok('GET /jobs/{jobId}', { params: { jobId: job.id } }, who);
    expect([told.state, told.error]).toEqual(['failed', expect.stringContaining(words)]);
    expect(told.error).not.toMatch(/10\.0\.0\.7|secret|canceling/);
  },
);
