import './api.fixtures.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '#client/http.ts';
import { keepLastState } from '#web/offline/keep-last-state.ts';
import { awayQuery } from '#web/queries/away.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const server = { isUp: true, asked: 0 };
beforeEach(() => {
  Object.assign(server, { isUp: true, asked: 0 });
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('fetch', async () => {
    server.asked += 1;
    return Response.json({}, { status: server.isUp ? 200 : 503 });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const unavailable = () =>
  new ApiError({
    statusCode: 503,
    error: 'Service Unavailable',
    message: 'Busy.',
    code: 'unavailable',
    path: '/apps',
    timestamp: '2026-11-29T12:00:00Z',
  });

/** A page of two reads: the second one fails while `fails` says so. */
async function openPage(fails: () => boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: 2, staleTime: 15_000 } } });
  const reads = { steady: 0, slow: 0 };
  const read = (name: keyof typeof reads) => async () => {
    reads[name] += 1;
    if (name === 'slow' && fails()) throw unavailable();
    return 1;
  };
  const closes = (['steady', 'slow'] as const).map((name) =>
    new QueryObserver(client, { queryKey: [name], queryFn: read(name) }).subscribe(() => {}),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  const end = keepLastState(client);
  const close = () => {
    end();
    for (const stop of closes) stop();
  };
  const readSlow = async () => {
    void client.invalidateQueries({ queryKey: ['slow'] });
    await vi.advanceTimersByTimeAsync(60_000);
  };
  return { client, reads, readSlow, close, notice: () => client.getQueryData(awayQuery.queryKey) };
}

test('one read that fails alone neither marks the page nor has everything read again', async () => {
  let isSlow = false;
  const { reads, readSlow, notice, close } = await openPage(() => isSlow);
  isSlow = true;
  await readSlow();
  // The read was repeated twice, and the server responded each time.
  expect([notice() ?? null, reads, server.asked]).toEqual([null, { steady: 1, slow: 4 }, 2]);
  close();
});

test('a server that does not respond marks the page, until all is read again', async () => {
  const { reads, readSlow, notice, close } = await openPage(() => !server.isUp);
  server.isUp = false;
  await readSlow();
  expect(notice()).toBeTruthy();
  expect(reads).toEqual({ steady: 1, slow: 4 });
  server.isUp = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([notice(), reads]).toEqual([null, { steady: 2, slow: 5 }]);
  close();
});

test('a page that was left while it asked is not marked', async () => {
  const { client, readSlow, notice, close } = await openPage(() => !server.isUp);
  server.isUp = false;
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  await readSlow();
  close();
  response.resolve(new Response(null, { status: 503 }));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(notice()).toBeNull();
  client.clear();
});
