import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type StoreProviders = ResponseOf<'GET /providers'>['items'][number];
export type ProviderComparison = ResponseOf<'GET /keywords/{keywordId}/providers'>;

/** The search providers of every store, and the distances of the sampled markets. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call('GET /providers', {}, signal),
  staleTime: 5 * 60_000,
});

/** The cost of a comparison. It counts against the allowance for store requests, so it is kept. */
export const comparisonCostQuery = (keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'providers', 'cost'],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}/providers',
        { params: { keywordId }, query: { estimate: 'true' } },
        signal,
      ),
    staleTime: 60 * 60_000,
  });

/**
 * Searches with every provider. It costs store requests, so nothing fetches it but a click: neither
 * a mount nor a refresh of the page's data.
 */
export const comparisonQuery = (keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'providers', 'comparison'],
    queryFn: ({ signal }) =>
      call('GET /keywords/{keywordId}/providers', { params: { keywordId } }, signal),
    enabled: false,
    retry: false,
    gcTime: 30 * 60_000,
  });
