import type { Query, QueryClient, QueryKey, QueryState } from '@tanstack/react-query';
import type { LiveTopic } from '#contract/live.ts';
import { apiPath } from '../base-path.ts';

/** Positions change every second of a run; lists of them are read again at most this often. */
const pauseMs = 20_000;
const retryMs = 30_000;

/** The lists of an app that follow from positions. None of them contacts a store. */
const listsOfPositions: ReadonlySet<unknown> = new Set([
  'overview',
  'briefing',
  'movers',
  'keywords',
  'keywords-by-position',
  'competitors',
  'distribution',
  'visibility',
  'leaders',
  'gaps',
  'entrants',
  'compare',
  'timeline',
]);

const reads: Record<LiveTopic, (queryKey: QueryKey) => boolean> = {
  runs: ([noun]) => noun === 'runs' || noun === 'budget',
  // A job may have scored keywords, or phrases in countries.
  jobs: ([noun, , list]) =>
    noun === 'jobs' ||
    noun === 'exports' ||
    noun === 'budget' ||
    list === 'keywords' ||
    list === 'country-scores',
  events: ([noun]) => noun === 'events',
  positions: ([noun, , list]) =>
    noun === 'runs' ||
    (noun === 'apps' && listsOfPositions.has(list)) ||
    (noun === 'keywords' && (list === undefined || list === 'history' || list === 'serp')),
};

const allTopics = Object.keys(reads) as LiveTopic[];

/** A list costs one request for each of its loaded pages. */
const pausePagesMs = (data: unknown): number =>
  pauseMs * Math.max(1, (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1);

/** A read in progress ends now at the earliest, and a failed one may be a slow one. */
const endOfRead = ({ fetchStatus, dataUpdatedAt, errorUpdatedAt }: QueryState): number =>
  fetchStatus === 'idle' ? Math.max(dataUpdatedAt, errorUpdatedAt) : Date.now();

/**
 * Reads again what the server says has changed, while the page is visible: a hidden one would take
 * one of the few connections that a browser has for a server. Without a connection the lists are
 * polled as they were. Returns the function that ends it.
 */
export function connectLive(queryClient: QueryClient): () => void {
  const waiting = new Map<string, number>();
  /** Queries that have changed during a read of them; they are read again when it ends. */
  const late = new WeakSet<Query>();
  let source: EventSource | null = null;
  let lastId = '';
  let retry: number | undefined;

  const readAgain = (query: Query) => {
    clearTimeout(waiting.get(query.queryHash));
    waiting.delete(query.queryHash);
    // Invalidation cancels a read in progress: a slow one would never end, nor one of a next page.
    if (query.state.fetchStatus !== 'idle') late.add(query);
    else void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  };
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    // A read of the next page cancels one of the whole list, which counts as valid after it.
    if (action.type === 'fetch' && action.meta?.fetchMore && query.state.isInvalidated)
      late.add(query);
    if (query.state.fetchStatus !== 'idle' || !late.delete(query)) return;
    // It was cancelled, for example by an optimistic update, which must not be overwritten.
    if (action.type === 'setState') query.invalidate();
    else readAgain(query);
  });
  const onTopic = (topic: LiveTopic, isFirst: boolean) => {
    const stale = queryClient.getQueryCache().findAll({
      predicate: ({ queryKey }) => reads[topic](queryKey),
    });
    for (const query of stale) {
      const isLong = isFirst || topic === 'positions' || query.queryKey[2] === 'keywords';
      if (!isLong || !query.isActive()) readAgain(query);
      else if (!waiting.has(query.queryHash)) {
        const dueMs = endOfRead(query.state) + pausePagesMs(query.state.data) - Date.now();
        waiting.set(query.queryHash, window.setTimeout(readAgain, Math.max(0, dueMs), query));
      }
    }
  };
  const close = () => {
    clearTimeout(retry);
    source?.close();
    source = null;
  };
  const open = () => {
    close();
    if (document.visibilityState === 'hidden') return;
    const opened = new EventSource(`${apiPath}/live${lastId && `?since=${lastId}`}`);
    source = opened;
    opened.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
      // No id says what has changed since the page read its data, so all of it is read again.
      const isFirst = lastId === '';
      lastId = lastEventId;
      const { topics } = JSON.parse(data) as { topics: LiveTopic[] };
      for (const topic of isFirst ? allTopics : topics) onTopic(topic, isFirst);
    });
    // The browser reconnects by itself after a lost connection, and never after a refusal.
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(retry);
      retry = window.setTimeout(open, retryMs);
    });
  };
  open();
  document.addEventListener('visibilitychange', open);
  return () => {
    document.removeEventListener('visibilitychange', open);
    for (const timer of waiting.values()) clearTimeout(timer);
    unsubscribe();
    close();
  };
}
