import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import type { MarketFilter } from '../scope.ts';

export type Visibility = ResponseOf<'GET /apps/{id}/visibility'>;
export type VisibilityDay = Visibility['items'][number];

/** The visibility index, oldest day first. */
export const visibilityQuery = (appId: number, market: MarketFilter, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'visibility', market, span],
    queryFn: async ({ signal }) => {
      const response = await call(
        'GET /apps/{id}/visibility',
        { params: { id: appId }, query: { ...market, ...span } },
        signal,
      );
      return {
        ...response,
        items: response.items.toSorted((a, b) => a.date.localeCompare(b.date)),
      };
    },
    enabled: appId > 0,
  });
