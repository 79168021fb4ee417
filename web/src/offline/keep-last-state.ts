import type { QueryClient } from '@tanstack/react-query';
import { isConnectionError } from '../connection-error.ts';
import { isApiError } from '../describe-error.ts';
import { apiPath, basePath, withBasePath } from '../base-path.ts';
import { formatClock, formatInstant, zonedDayOf } from '../format.ts';
import { i18next } from '../i18n.ts';
import { awayQuery } from '../queries/away.ts';

const retryMs = 5_000;
/** How long the server may take to show that it is there. */
const respondsMs = 10_000;
const keptAtHeader = 'x-toprung-kept-at';

/**
 * Starts the service worker, and says when the server does not respond: with the last state that
 * the worker has kept, or with what is on the screen. Returns the function that ends it.
 */
export function keepLastState(queryClient: QueryClient): () => void {
  let staleSince: string | null = null;
  let retry: number | undefined;
  let isAsking = false;
  let isOver = false;
  const show = () =>
    queryClient.setQueryData(
      awayQuery.queryKey,
      staleSince === null
        ? null
        : {
            title: i18next.t('offline.title', { at: formatAt(staleSince) }),
            text: i18next.t('offline.text'),
          },
    );
  const goAway = (at: string) => {
    if (staleSince !== null && staleSince <= at) return;
    staleSince = at;
    show();
    clearTimeout(retry);
    retry = window.setTimeout(() => void tryAgain(), retryMs);
  };
  const tryAgain = async () => {
    const isThere = await responds();
    if (isOver) return;
    if (!isThere) {
      retry = window.setTimeout(() => void tryAgain(), retryMs);
      return;
    }
    staleSince = null;
    show();
    await queryClient.invalidateQueries();
  };
  /** One read may be slow or fail alone, while the server responds to all others. */
  const askAfterError = async () => {
    if (isAsking || staleSince !== null) return;
    isAsking = true;
    const at = new Date(newestUpdate(queryClient)).toISOString();
    const isAway = !(await responds());
    isAsking = false;
    if (isAway && !isOver) goAway(at);
  };
  // The worker has asked.
  const onMessage = ({ data }: MessageEvent<{ staleSince: string | null }>) => {
    if (data.staleSince !== null) goAway(data.staleSince);
  };
  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'failed') return;
    const { error } = event.action;
    if (isConnectionError(error) || isApiError(error, 'unavailable')) void askAfterError();
  });
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.addEventListener('message', onMessage);
  // Not in a private window of some browsers, and not over plain http.
  if (import.meta.env.PROD && workers) void startWorker(workers).catch(() => undefined);
  i18next.on('languageChanged', show);
  return () => {
    isOver = true;
    clearTimeout(retry);
    unsubscribe();
    i18next.off('languageChanged', show);
    workers?.removeEventListener('message', onMessage);
    queryClient.setQueryData(awayQuery.queryKey, null);
  };
}

async function startWorker(workers: ServiceWorkerContainer): Promise<void> {
  await workers.register(withBasePath('/service-worker.js'), { scope: `${basePath}/` });
  const { active } = await workers.ready;
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.includes('/assets/'))
    .map(({ pathname }) => pathname);
  active?.postMessage({ files });
}

/** The server itself responds, and not the worker with what it has kept. */
async function responds(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(respondsMs);
    const { headers, status } = await fetch(`${apiPath}/auth/session`, { signal });
    return !headers.has(keptAtHeader) && (status < 502 || status > 504);
  } catch {
    return false;
  }
}

const newestUpdate = (queryClient: QueryClient): number =>
  Math.max(
    0,
    ...queryClient
      .getQueryCache()
      .getAll()
      .filter(({ queryKey }) => queryKey[0] !== awayQuery.queryKey[0])
      .map(({ state }) => state.dataUpdatedAt),
  ) || Date.now();

const formatAt = (instant: string): string =>
  zonedDayOf(instant) === zonedDayOf(new Date().toISOString())
    ? formatClock(instant)
    : formatInstant(instant);
