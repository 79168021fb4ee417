import './api.fixtures.ts';
import {
  focusManager,
  InfiniteQueryObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('a change during a read', () => {
  const queryKey = ['jobs', {}];
  const slowMs = 2_500;
  const counts = { begun: 0, ended: 0, stopped: 0 };
  let client: QueryClient;
  let disconnect: () => void;

  async function readSlowly({ signal }: { signal: AbortSignal }) {
    counts.begun += 1;
    signal.addEventListener('abort', () => (counts.stopped += 1));
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    if (!signal.aborted) counts.ended += 1;
    return counts.begun;
  }
  const observe = (queryFn = readSlowly, options = {}) =>
    new QueryObserver(client, { queryKey, queryFn, ...options }).subscribe(() => {});
  const change = () => emit(['jobs']);
  const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const isInvalidated = () => client.getQueryState(queryKey)?.isInvalidated;

  beforeEach(() => {
    Object.assign(counts, { begun: 0, ended: 0, stopped: 0 });
    client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } });
    client.mount();
    disconnect = connectLive(client);
    // The first event has everything read again.
    emit([]);
  });
  afterEach(() => {
    disconnect();
    client.unmount();
    client.clear();
    focusManager.setFocused(undefined);
  });

  test('does not stop it, and has it repeated once after the last change', async () => {
    observe();
    for (let second = 0; second < 10; second += 1) {
      change();
      await wait(1_000);
    }
    expect(counts).toEqual({ begun: 5, ended: 4, stopped: 0 });
    await wait(60_000);
    expect(counts).toEqual({ begun: 5, ended: 5, stopped: 0 });
    expect(client.getQueryData(queryKey)).toBe(5);
  });

  test('has it repeated once after it has failed', async () => {
    let reads = 0;
    observe(
      async () => {
        reads += 1;
        await new Promise((resolve) => setTimeout(resolve, slowMs));
        if (reads > 1) throw new Error('refused');
        return reads;
      },
      { retry: false },
    );
    await wait(slowMs);
    change();
    await wait(1_000);
    change();
    change();
    await wait(60_000);
    expect(reads).toBe(3);
  });

  test('has it repeated once after a pause', async () => {
    let reads = 0;
    const queryFn = async () => {
      reads += 1;
      if (reads === 1) throw new Error('refused');
      return reads;
    };
    observe(queryFn, { retry: 1 });
    focusManager.setFocused(false);
    await wait(10_000);
    expect(client.getQueryState(queryKey)?.fetchStatus).toBe('paused');
    change();
    change();
    await wait(10_000);
    expect(reads).toBe(1);
    focusManager.setFocused(true);
    await wait(60_000);
    expect(reads).toBe(3);
  });

  test('has a list that was left read again when it is opened', async () => {
    const leave = observe();
    await wait(slowMs);
    change();
    await wait(1_000);
    change();
    leave();
    await wait(60_000);
    expect(counts).toEqual({ begun: 2, ended: 1, stopped: 1 });
    observe(readSlowly, { staleTime: Infinity });
    await wait(60_000);
    expect(counts).toEqual({ begun: 3, ended: 2, stopped: 1 });
  });

  test('has a list that is read in advance read again when it is opened', async () => {
    void client.prefetchQuery({ queryKey, queryFn: readSlowly });
    await wait(1_000);
    change();
    await wait(60_000);
    expect(counts).toEqual({ begun: 1, ended: 1, stopped: 0 });
    observe(readSlowly, { staleTime: Infinity });
    await wait(60_000);
    expect(counts).toEqual({ begun: 2, ended: 2, stopped: 0 });
  });

  test('does not overwrite the optimistic update that cancels the read', async () => {
    observe();
    await wait(slowMs);
    change();
    await wait(1_000);
    change();
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, -1);
    await wait(60_000);
    expect(client.getQueryData(queryKey)).toBe(-1);
    void client.invalidateQueries({ queryKey });
    await wait(60_000);
    expect(counts).toEqual({ begun: 3, ended: 2, stopped: 1 });
  });

  test('waits for no read that an update of the page has begun again', async () => {
    observe();
    await wait(slowMs);
    change();
    await wait(1_000);
    void client.invalidateQueries({ queryKey });
    expect(counts).toEqual({ begun: 3, ended: 1, stopped: 1 });
    change();
    await wait(60_000);
    expect(counts).toEqual({ begun: 4, ended: 3, stopped: 1 });
  });

  test('is read once, too, when the pause of a long list ends during it', async () => {
    const key = ['apps', 1, 'movers'];
    new QueryObserver(client, { queryKey: key, queryFn: readSlowly }).subscribe(() => {});
    await wait(slowMs);
    emit(['positions']);
    await wait(19_000);
    void client.invalidateQueries({ queryKey: key });
    await wait(1_500);
    emit(['positions']);
    await wait(60_000);
    expect(counts).toEqual({ begun: 3, ended: 3, stopped: 0 });
  });

  describe('of a list with pages', () => {
    const pagesRead: number[] = [];
    async function openPages() {
      pagesRead.length = 0;
      const pages = new InfiniteQueryObserver(client, {
        queryKey,
        async queryFn({ pageParam, signal }) {
          await new Promise((resolve) => setTimeout(resolve, slowMs));
          if (!signal.aborted) pagesRead.push(pageParam);
          return pageParam;
        },
        initialPageParam: 1,
        getNextPageParam: (last) => last + 1,
      });
      pages.subscribe(() => {});
      await wait(slowMs);
      return pages;
    }

    test('does not stop the read of the next page', async () => {
      const pages = await openPages();
      void pages.fetchNextPage();
      await wait(1_000);
      change();
      await wait(60_000);
      expect(pagesRead).toEqual([1, 2, 1, 2]);
    });

    test('has the whole list read again after a next page that was requested', async () => {
      const pages = await openPages();
      change();
      await wait(1_000);
      void pages.fetchNextPage();
      await wait(60_000);
      expect(pagesRead).toEqual([1, 2, 1, 2]);
      expect(isInvalidated()).toBe(false);
    });
  });
});
