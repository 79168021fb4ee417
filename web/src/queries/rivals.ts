import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';
import type { Span } from './apps.ts';

export type Rival = Answer<'GET /apps/{id}/competitors'>['items'][number];

/** Whom an app is compared with. */
export const rivalsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'rivals'],
    queryFn: ({ signal }) => call('GET /apps/{id}/competitors', { params: { id: appId } }, signal),
    staleTime: 60_000,
    enabled: appId > 0,
  });

/** Where a competitor stands on one keyword; days of which nothing is known are not there. */
export const rivalHistoryQuery = (appId: number, rivalId: number, keywordId: number, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'rivals', rivalId, keywordId, span],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/competitors/{cid}/rankings',
        { params: { id: appId, cid: rivalId }, query: { ...span, keywordId, limit: 500 } },
        signal,
      ),
    staleTime: 60_000,
  });
