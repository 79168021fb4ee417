import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import { isSameMarket, type Market } from '../scope.ts';

export type Suggestions = ResponseOf<'GET /apps/{id}/keyword-suggestions'>;
export type Suggestion = Suggestions['items'][number];
export type Evidence = Suggestion['evidence'][number];
export type Source = Suggestion['source'];

export interface Asked extends Market {
  seed: string;
  source: Source | undefined;
}

const pollIntervalMs = 4_000;

/**
 * With `refresh` the store is queried again; otherwise its autocomplete of the last seven days is
 * used, and the request is free.
 */
export const readSuggestions = (
  appId: number,
  { country, device, seed, source }: Asked,
  { refresh, signal }: { refresh?: boolean; signal?: AbortSignal } = {},
) =>
  call(
    'GET /apps/{id}/keyword-suggestions',
    {
      params: { id: appId },
      query: { country, device, phrase: seed || undefined, source, refresh, limit: 100 },
    },
    signal,
  );

/** Polled while a job scores some of them. */
export const suggestionsQuery = (appId: number, asked: Asked) =>
  queryOptions({
    queryKey: ['apps', appId, 'suggestions', asked],
    queryFn: ({ signal }) => readSuggestions(appId, asked, { signal }),
    staleTime: 60_000,
    gcTime: 30 * 60_000,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ score }) => score?.state === 'waiting') ? pollIntervalMs : false,
  });

/** Marks new keywords as tracked in loaded suggestions, without reading the lists again. */
export function setSuggestionsTracked(
  queryClient: QueryClient,
  appId: number,
  market: Market,
  phrases: readonly string[],
): void {
  const added = new Set(phrases);
  queryClient.setQueriesData<Suggestions>(
    {
      queryKey: ['apps', appId, 'suggestions'],
      predicate: ({ queryKey }) => isSameMarket(queryKey[3] as Asked, market),
    },
    (before) =>
      before && {
        ...before,
        items: before.items.map((item) =>
          added.has(item.phrase) ? { ...item, alreadyTracked: true } : item,
        ),
      },
  );
}
