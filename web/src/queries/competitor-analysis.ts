import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { addDays } from '#lib/dates.ts';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import type { MarketFilter } from '../scope.ts';

export type Gap = ResponseOf<'GET /apps/{id}/gaps'>['items'][number];
export type Comparison = ResponseOf<'GET /apps/{id}/compare'>;
export type Entrant = ResponseOf<'GET /apps/{id}/serp/entrants'>['items'][number];
export type Leader = ResponseOf<'GET /apps/{id}/serp/leaders'>['items'][number];
export type CompetitorRanking =
  ResponseOf<'GET /apps/{id}/competitors/{cid}/rankings'>['items'][number];

export const competitorSuggestionsQuery = (appId: number, country: string | undefined) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitor-suggestions', country ?? 'all'],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/competitors/suggestions',
        { params: { id: appId }, query: { country, limit: 20 } },
        signal,
      ),
  });

export const gapsQuery = (appId: number, market: MarketFilter, kind: Gap['kind'] | undefined) =>
  queryOptions({
    queryKey: ['apps', appId, 'gaps', market, kind ?? 'all'],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/gaps',
        { params: { id: appId }, query: { ...market, kind, limit: 500 } },
        signal,
      ),
  });

export const comparisonQuery = (appId: number, country: string | undefined) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitor-listings', country ?? 'primary'],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/compare', { params: { id: appId }, query: { country } }, signal),
  });

export const entrantsQuery = (appId: number, market: MarketFilter, span: Span) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'entrants', market, span],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /apps/{id}/serp/entrants',
        { params: { id: appId }, query: { ...span, ...market, limit: 100, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

export const leadersQuery = (appId: number, market: MarketFilter) =>
  queryOptions({
    queryKey: ['apps', appId, 'leaders', market],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/serp/leaders',
        { params: { id: appId }, query: { ...market, limit: 50 } },
        signal,
      ),
  });

/** The maximum age in days, as the API uses it. */
const lookbackDays = 3;
const pageSize = 500;

/**
 * The latest position of a competitor for each of up to 100 keywords, at most three days old: one
 * request.
 */
export const latestCompetitorRankingsQuery = (
  appId: number,
  competitorId: number,
  today: string,
  keywordIds: readonly number[],
) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitors', competitorId, 'newest', today, keywordIds],
    queryFn: async ({ signal }) => {
      const newest = new Map<number, CompetitorRanking>();
      const { items } = await call(
        'GET /apps/{id}/competitors/{cid}/rankings',
        {
          params: { id: appId, cid: competitorId },
          query: {
            from: addDays(today, -lookbackDays),
            to: today,
            keywordIds: keywordIds.join(','),
            limit: pageSize,
          },
        },
        signal,
      );
      // Newest day first.
      for (const ranking of items)
        if (!newest.has(ranking.keywordId)) newest.set(ranking.keywordId, ranking);
      return newest;
    },
  });
