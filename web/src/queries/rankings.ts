import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';

export type DistributionDay = ResponseOf<'GET /apps/{id}/rankings/distribution'>['items'][number];
export type ComparedKeyword = ResponseOf<'GET /apps/{id}/rankings/compare'>['items'][number];

/** The number of keywords in each position range, oldest day first. */
export const distributionQuery = (appId: number, country: string | undefined, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'distribution', country ?? 'all', span],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/rankings/distribution',
        { params: { id: appId }, query: { country, ...span } },
        signal,
      ),
    enabled: appId > 0,
  });

/** All keywords on two days. */
export const compareQuery = (appId: number, country: string | undefined, a: string, b: string) =>
  queryOptions({
    queryKey: ['apps', appId, 'compare', country ?? 'all', a, b],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/rankings/compare',
        { params: { id: appId }, query: { country, a, b } },
        signal,
      ),
  });
