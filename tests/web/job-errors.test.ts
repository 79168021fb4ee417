import './api.fixtures.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import type { Job } from '#web/api.ts';
import { formatJobError } from '#web/components/format-job-error.ts';
import { workspaceExportsQuery } from '#web/queries/exports.ts';
import { stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const reason = 'the file would be larger than 4.0 GB';
const unexplained = 'it failed 3 times; the log says why';
const failed = { state: 'failed' as const, progress: { done: 0, total: 1 } };

test('a failed job shows its reason when there is one', () => {
  const format = (kind: Job['kind'], error: string) =>
    formatJobError({ ...failed, kind, error, parts: [] });
  expect(format('export', reason)).toBe(reason);
  expect(format('export', unexplained)).not.toContain('the log says why');
});

test('so does a failed export', async () => {
  const job = { ...failed, kind: 'export', parts: [], queuedAt: '2026-11-21T08:00:00Z' };
  const errors = [reason, unexplained];
  stubApi(() => ({ items: errors.map((error, id) => ({ ...job, id, error, result: null })) }));
  const made = await new QueryClient().fetchQuery(workspaceExportsQuery);
  expect(made.map((one) => [one.state, one.reason])).toEqual([
    ['failed', reason],
    ['failed', null],
  ]);
});
