import {
  useInfiniteQuery,
  useMutationState,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { compareText } from '#web/format.ts';
import {
  hasMorePages,
  isWaiting,
  keywordPagesQuery,
  readKeywordPage,
  type KeywordPage,
} from '#web/queries/keywords.ts';
import { deviceIds } from '#stores/profiles.ts';
import { editPages, rowEditsKey, type RowEdit } from './edit-rows.ts';

type Pages = InfiniteData<KeywordPage>;

const pollIntervalMs = 1_500;
const restMs = 15_000;

/**
 * Polls pages with pending keywords, one page per interval, until all are completed. If nothing
 * changes for a minute, as during a long daily run, the interval grows, so that an open page does
 * not use up the request limit.
 */
function useWaitingPoll(appId: number, data: Pages | undefined): void {
  const queryClient = useQueryClient();
  const round = useRef(0);
  const movedAtMs = useRef(Date.now());
  const waiting = useMemo(
    () => (data?.pages ?? []).flatMap((page, index) => (page.items.some(isWaiting) ? [index] : [])),
    [data],
  );
  const key = waiting.join();
  const isIdle =
    data?.pages.reduce(
      (sum, page) => sum + page.items.filter((item) => !isWaiting(item)).length,
      0,
    ) ?? 0;
  useEffect(() => {
    movedAtMs.current = Date.now();
  }, [isIdle]);
  useEffect(() => {
    if (key === '') return;
    const indexes = key.split(',').map(Number);
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const poll = async () => {
      const index = indexes[round.current++ % indexes.length]!;
      const { queryKey } = keywordPagesQuery(appId);
      const cursor = queryClient.getQueryData<Pages>(queryKey)?.pageParams[index] as
        | string
        | undefined;
      const seenAtMs = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
      const page = document.hidden
        ? null
        : await readKeywordPage(appId, cursor, stop.signal).catch(() => null);
      if (stop.signal.aborted) return;
      // Newer than this response if keywords were added or removed meanwhile.
      const isStale = queryClient.getQueryState(queryKey)?.dataUpdatedAt !== seenAtMs;
      if (page && !isStale)
        queryClient.setQueryData<Pages>(
          queryKey,
          (before) => before && { ...before, pages: before.pages.with(index, page) },
        );
      schedule();
    };
    const schedule = () => {
      timer = setTimeout(
        () => void poll(),
        Date.now() - movedAtMs.current > 60_000 ? restMs : pollIntervalMs,
      );
    };
    schedule();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, appId, queryClient]);
}

/** Only the first page while others follow: sorting and drawing after each takes longer than it. */
const pickShown = (data: Pages): Pages =>
  hasMorePages(data) ? { pages: data.pages.slice(0, 1), pageParams: [undefined] } : data;

/**
 * All keywords of the app, up to 5,000, with the edits that are not saved, refreshed while some are
 * being checked. `RemainingKeywords` loads the pages after the first.
 */
export function useKeywordRows(appId: number) {
  const queryClient = useQueryClient();
  const { queryKey, ...options } = keywordPagesQuery(appId);
  const { data, error, isPending, refetch } = useInfiniteQuery({
    queryKey,
    ...options,
    select: pickShown,
    notifyOnChangeProps: ['data', 'error', 'isPending'],
  });
  // After an error no page follows, and those that were read are shown.
  const saved = error ? queryClient.getQueryData<Pages>(queryKey) : data;
  useWaitingPoll(appId, saved);
  const unsaved = useMutationState({
    filters: { mutationKey: rowEditsKey(appId), status: 'pending' },
    select: ({ state }) => state.variables as RowEdit,
  });
  const shown = useMemo(() => saved && unsaved.reduce<Pages>(editPages, saved), [saved, unsaved]);
  const keywords = useMemo(() => {
    const byId = new Map(
      shown?.pages.flatMap((page) => page.items.map((item) => [item.id, item] as const)),
    );
    // Order of ties and of rows without a position: not found before not checked, then by phrase.
    return [...byId.values()].toSorted(
      (a, b) =>
        Number(a.latest === null) - Number(b.latest === null) ||
        compareText(a.phrase, b.phrase) ||
        compareText(a.country, b.country) ||
        deviceIds.indexOf(a.device) - deviceIds.indexOf(b.device),
    );
  }, [shown]);
  return {
    error,
    isPending,
    refetch,
    keywords,
    total: shown?.pages[0]?.total ?? null,
    waiting: keywords.filter(isWaiting).length,
    hasNextPage: shown !== undefined && hasMorePages(shown),
  };
}
