import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { popularityMovements } from '#contract/choices.ts';
import { call, type ResponseOf } from '../api.ts';
import { collectPages } from './collect-pages.ts';

export type PopularityPeriod = ResponseOf<'GET /popularity/periods'>['items'][number];
export type PopularityTerm = ResponseOf<'GET /popularity/terms'>['items'][number];
export interface TermFilter {
  /** The app in whose listing the words of the terms are located. */
  appId: number | undefined;
  country: string;
  granularity: PopularityPeriod['granularity'];
  period: string;
  genre: PopularityTerm['genre'] | undefined;
  movement: (typeof popularityMovements)[number] | undefined;
  q: string | undefined;
}

const pageSize = 100;

/** The stored periods, the newest first. */
export const popularityPeriodsQuery = queryOptions({
  queryKey: ['popularity', 'periods'],
  queryFn: ({ signal }) =>
    collectPages((cursor) => call('GET /popularity/periods', { query: { cursor } }, signal)),
});

export const popularityTermsQuery = (filter: TermFilter) =>
  infiniteQueryOptions({
    queryKey: ['popularity', 'terms', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /popularity/terms',
        { query: { ...filter, limit: pageSize, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
