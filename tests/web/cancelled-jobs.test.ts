import './api.fixtures.ts';
import { expect, test, vi } from 'vitest';
import { cancelJobs } from '#web/pages/suggestions/cancel-jobs.ts';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

/** The jobs that are requested to be cancelled; the API refuses the first one with this code. */
async function cancelThree(code: string): Promise<string[]> {
  const sent: string[] = [];
  stubApi((_method, path) => {
    sent.push(path);
    return path === '/jobs/1/cancel' ? new Refusal(400, path, { code }) : {};
  });
  await cancelJobs([1, 2, 3]).catch(() => sent.push('rejected'));
  return sent;
}

const all = ['/jobs/1/cancel', '/jobs/2/cancel', '/jobs/3/cancel'];

test('a job that has just ended does not keep the others running', async () => {
  expect(await cancelThree('invalid_request')).toEqual(all);
});

test('a job that could not be cancelled is an error, and the others are cancelled', async () => {
  expect(await cancelThree('conflict')).toEqual([...all, 'rejected']);
});
