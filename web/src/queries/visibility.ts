import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import { collectPages } from './collect-pages.ts';
import type { MarketFilter } from '../scope.ts';

export type Visibility = ResponseOf<'GET /apps/{id}/visibility'>;
export type VisibilityDay = Visibility['items'][number];

/** `same`: those tracked on the first and on the last day. */
export type Counted = 'same' | 'all';

/**
 * The visibility index, oldest day first. The result has its market, period and choice of keywords:
 * it can be shown while others load.
 */
export const visibilityQuery = (
  appId: number,
  market: MarketFilter,
  span: Span,
  counted: Counted = 'same',
) =>
  queryOptions({
    queryKey: ['apps', appId, 'visibility', market, span, counted],
    queryFn: async ({ signal }) => {
      const response = await collectPages((cursor) =>
        call(
          'GET /apps/{id}/visibility',
          { params: { id: appId }, query: { ...market, ...span, keywords: counted, cursor } },
          signal,
        ),
      );
      return {
        ...response,
        asked: { market, span, counted },
        items: response.items.toSorted((a, b) => a.date.localeCompare(b.date)),
      };
    },
    enabled: appId > 0,
  });
