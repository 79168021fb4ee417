import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, callVersioned, type ResponseOf } from '../api.ts';
import { isSameMarket, type Market, type MarketFilter } from '../scope.ts';

export type FieldAnalysis = ResponseOf<'POST /apps/{id}/keyword-field/preview'>;
export type FieldToken = FieldAnalysis['tokens'][number];
export type FieldVersion = ResponseOf<'GET /apps/{id}/keyword-field/history'>['items'][number];

export const fieldQuery = (appId: number, locale: string) =>
  queryOptions({
    queryKey: ['apps', appId, 'keyword-field', locale],
    queryFn: ({ signal }) =>
      callVersioned(
        'GET /apps/{id}/keyword-field',
        { params: { id: appId }, query: { locale } },
        signal,
      ),
    // Refetched only on mount, so that typing is not overwritten.
    refetchOnMount: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  });

export const fieldPreviewQuery = (
  appId: number,
  asked: { text: string; locale: string; market: MarketFilter },
) =>
  queryOptions({
    queryKey: ['apps', appId, 'keyword-field-preview', asked],
    queryFn: ({ signal }) =>
      call(
        'POST /apps/{id}/keyword-field/preview',
        {
          params: { id: appId },
          query: asked.market,
          body: { text: asked.text, locale: asked.locale },
        },
        signal,
      ),
    staleTime: 60_000,
    retry: false,
  });

/** Updates the tracked state of a word in all analyses of the market. */
export function setTokensTracked(
  queryClient: QueryClient,
  appId: number,
  market: Market,
  { term, keywordId }: Pick<FieldToken, 'term' | 'keywordId'>,
): void {
  queryClient.setQueriesData<FieldAnalysis>(
    { queryKey: ['apps', appId, 'keyword-field-preview'] },
    (before) =>
      before && isSameMarket(before, market)
        ? {
            ...before,
            tokens: before.tokens.map((token) =>
              token.term === term ? { ...token, keywordId } : token,
            ),
          }
        : before,
  );
}

export const fieldHistoryQuery = (appId: number, locale: string) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'keyword-field-history', locale],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /apps/{id}/keyword-field/history',
        { params: { id: appId }, query: { locale, limit: 10, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
