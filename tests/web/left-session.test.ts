import './api.fixtures.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followJob } from '#web/components/job-toast.ts';
import { hideToast, readToasts } from '#web/components/toasts/toast-store.ts';
import { showUndo } from '#web/components/toasts/toasts.tsx';
import { Refusal, stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

vi.stubGlobal('addEventListener', () => {});
const { leaveSession } = await import('#web/leave-session.ts');
vi.unstubAllGlobals();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  readToasts().forEach(({ id }) => hideToast(id));
});

const job = { kind: 'refresh', state: 'running', progress: { done: 0, total: 1 }, parts: [] };

test('toasts and followed jobs end with the session', async () => {
  const client = new QueryClient();
  const refreshed = vi.spyOn(client, 'invalidateQueries');
  let polls = 0;
  let isSignedIn = true;
  stubApi((_method, path) => {
    polls += 1;
    return isSignedIn ? job : new Refusal(401, path, { code: 'unauthenticated' });
  });
  const following = followJob(1, 'Checking', client);
  showUndo('Northlight was removed', () => {});
  await vi.advanceTimersByTimeAsync(1_500);
  expect([polls, readToasts()]).toMatchObject([2, [{ id: 'job-1' }, { tone: 'neutral' }]]);

  isSignedIn = false;
  // The page of the person is still there while that of the sign-in is loaded.
  const signIn = Promise.withResolvers<void>();
  const leaving = leaveSession(client, () => signIn.promise);
  await vi.advanceTimersByTimeAsync(10_000);
  signIn.resolve();
  await Promise.all([leaving, following]);
  expect([polls, readToasts(), refreshed.mock.calls]).toEqual([2, [], []]);
});

test('a poll that is under way at the end of the session changes nothing', async () => {
  const client = new QueryClient();
  const refreshed = vi.spyOn(client, 'invalidateQueries');
  const response = Promise.withResolvers<object>();
  stubApi(() => response.promise);
  const following = followJob(2, 'Checking', client);
  await leaveSession(client, async () => {});
  response.resolve(new Refusal(401, '/jobs/2', { code: 'unauthenticated' }));
  await following;
  expect([readToasts(), refreshed.mock.calls]).toEqual([[], []]);

  // The next person’s are followed.
  stubApi(() => ({ ...job, state: 'succeeded', progress: { done: 1, total: 1 } }));
  await followJob(3, 'Checking', client);
  expect([readToasts(), refreshed.mock.calls.length]).toMatchObject([[{ tone: 'success' }], 1]);
});
