import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import type { MarketFilter } from '../scope.ts';
import { collectPages } from './collect-pages.ts';

type Distribution = ResponseOf<'GET /apps/{id}/rankings/distribution'>;
export type DistributionDay = Distribution['items'][number];
export type Segments = Distribution['segments'];
type Comparison = ResponseOf<'GET /apps/{id}/rankings/compare'>;
export type ComparedKeyword = Comparison['items'][number];
export type ComparisonTotals = Comparison['totals'];

/** The number of keywords in each position range, oldest day first. */
export const distributionQuery = (appId: number, market: MarketFilter, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'distribution', market, span],
    queryFn: ({ signal }) =>
      collectPages((cursor) =>
        call(
          'GET /apps/{id}/rankings/distribution',
          { params: { id: appId }, query: { ...market, ...span, cursor } },
          signal,
        ),
      ),
    enabled: appId > 0,
  });

/** The sums over all keywords on two days. */
export const comparisonTotalsQuery = (appId: number, market: MarketFilter, a: string, b: string) =>
  queryOptions({
    queryKey: ['apps', appId, 'compare', 'totals', market, a, b],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/rankings/compare',
        { params: { id: appId }, query: { ...market, a, b, limit: 1 } },
        signal,
      ),
  });

/** All keywords on two days, which the result names: it can be shown while other days load. */
export const compareQuery = (appId: number, market: MarketFilter, a: string, b: string) =>
  queryOptions({
    queryKey: ['apps', appId, 'compare', market, a, b],
    queryFn: async ({ signal }) => {
      const response = await collectPages((cursor) =>
        call(
          'GET /apps/{id}/rankings/compare',
          {
            params: { id: appId },
            query: { ...market, a, b, include: 'words', limit: 5_000, cursor },
          },
          signal,
        ),
      );
      return { ...response, a, b };
    },
  });
