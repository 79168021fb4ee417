import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import { isSameMarket, type Market } from '../scope.ts';

export type Suggestions = ResponseOf<'GET /apps/{id}/keyword-suggestions'>;
export type Suggestion = Suggestions['items'][number];
export type Evidence = Suggestion['evidence'][number];
export type Source = Suggestion['source'];

interface Asked extends Market {
  seed: string;
  source: Source | undefined;
}

/** Requested only on demand, because it may send store requests and uses an allowance. */
export const suggestionsQuery = (appId: number, asked: Asked) =>
  queryOptions({
    queryKey: ['apps', appId, 'suggestions', asked],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/keyword-suggestions',
        {
          params: { id: appId },
          query: {
            country: asked.country,
            device: asked.device,
            phrase: asked.seed || undefined,
            source: asked.source,
            limit: 100,
          },
        },
        signal,
      ),
    staleTime: 30 * 60_000,
    gcTime: 30 * 60_000,
  });

/**
 * Marks new keywords as tracked in loaded suggestions, because refetching would use the allowance.
 */
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
