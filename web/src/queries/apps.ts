import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import type { MarketFilter } from '../scope.ts';

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) => call('GET /apps', { query: { limit: 500, include: 'summary' } }, signal),
  staleTime: 60_000,
});

export const overviewQuery = (id: number, market: MarketFilter) =>
  queryOptions({
    queryKey: ['apps', id, 'overview', market],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/overview', { params: { id }, query: market }, signal),
  });

export const marketsQuery = (id: number) =>
  queryOptions({
    queryKey: ['apps', id, 'markets'],
    queryFn: ({ signal }) => call('GET /apps/{id}/markets', { params: { id } }, signal),
    staleTime: 60_000,
  });

export interface Span {
  from: string;
  to: string;
}

export const moversQuery = (id: number, market: MarketFilter, span: Span) =>
  queryOptions({
    queryKey: ['apps', id, 'movers', market, span],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/rankings/movers',
        { params: { id }, query: { ...market, ...span, limit: 8 } },
        signal,
      ),
  });
