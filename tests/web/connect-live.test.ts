import './api.fixtures.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectLive } from '#web/live/connect-live.ts';

let emit: (topics: string[]) => void;
let look: () => void;
class StubSource {
  addEventListener(type: string, listen: (event: { data: string; lastEventId: string }) => void) {
    if (type === 'change')
      emit = (topics) => listen({ data: JSON.stringify({ topics }), lastEventId: '1' });
  }
  close() {}
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('EventSource', StubSource);
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    addEventListener: (_type: string, listen: () => void) => (look = listen),
    removeEventListener() {},
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that reads one list; positions change every second from now on. */
async function openList(queryKey: unknown[], read: (signal: AbortSignal) => Promise<unknown>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryFn = ({ signal }: { signal: AbortSignal }) => read(signal);
  const stop = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(30_000);
  const disconnect = connectLive(client);
  return {
    run: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        emit(['positions']);
        await vi.advanceTimersByTimeAsync(1_000);
      }
    },
    close() {
      disconnect();
      stop();
    },
  };
}

test.each(['briefing', 'movers', 'keywords-by-position', 'competitors'])(
  'new positions have the list %s read again, once in twenty seconds',
  async (list) => {
    let reads = 0;
    const { run, close } = await openList(['apps', 1, list, 'x'], async () => (reads += 1));
    await run(50);
    expect(reads).toBe(1 + 3);
    close();
  },
);

test('a read that takes longer than the next change is neither stopped nor repeated', async () => {
  const counts = { begun: 0, ended: 0, stopped: 0 };
  const { run, close } = await openList(['apps', 1, 'movers'], async (signal) => {
    counts.begun += 1;
    signal.addEventListener('abort', () => (counts.stopped += 1));
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    return (counts.ended += 1);
  });
  await run(50);
  expect(counts).toEqual({ begun: 4, ended: 4, stopped: 0 });
  close();
});

test('a list that fails is read no more often than one that does not', async () => {
  let reads = 0;
  const { run, close } = await openList(['apps', 1, 'movers'], async () => {
    reads += 1;
    if (reads > 1) throw new Error('slow');
    return reads;
  });
  await run(50);
  expect(reads).toBe(1 + 3);
  close();
});

test('what was read before the first connection is read again once, and not at once', async () => {
  const counts = { movers: 0, events: 0, tags: 0 };
  const client = new QueryClient();
  const stops = Object.entries({
    movers: ['apps', 1, 'movers'],
    events: ['events'],
    tags: ['tags'],
  }).map(([name, queryKey]) => {
    const queryFn = async () => (counts[name as keyof typeof counts] += 1);
    return new QueryObserver(client, { queryKey, queryFn }).subscribe(() => {});
  });
  await vi.advanceTimersByTimeAsync(2_000);
  const disconnect = connectLive(client);
  emit([]);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(counts).toEqual({ movers: 1, events: 1, tags: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(counts).toEqual({ movers: 2, events: 2, tags: 1 });
  // The browser has connected again, with the id of the last event.
  emit([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(counts).toEqual({ movers: 2, events: 2, tags: 1 });
  disconnect();
  stops.forEach((stop) => stop());
});

test('a page that was opened in the background is read again when it is shown', async () => {
  let reads = 0;
  const page = globalThis.document as { visibilityState: string };
  page.visibilityState = 'hidden';
  const { close } = await openList(['apps', 1, 'movers'], async () => (reads += 1));
  page.visibilityState = 'visible';
  look();
  emit([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toBe(2);
  close();
});
