import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import { collectPages } from './collect-pages.ts';

export type Competitor = ResponseOf<'GET /apps/{id}/competitors'>['items'][number];

export type ComparedCompetitor = Competitor & { overlap: NonNullable<Competitor['overlap']> };

/** The competitors of an app, without a comparison on its keywords. */
export const competitorsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitors'],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/competitors',
        { params: { id: appId }, query: { overlap: 'false' } },
        signal,
      ),
    staleTime: 60_000,
    enabled: appId > 0,
  });

/** The competitors of an app, compared on its keywords. */
export const comparedCompetitorsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitors', 'compared'],
    queryFn: async ({ signal }) => {
      const { items } = await call('GET /apps/{id}/competitors', { params: { id: appId } }, signal);
      return items.flatMap((item): ComparedCompetitor[] =>
        item.overlap ? [{ ...item, overlap: item.overlap }] : [],
      );
    },
    staleTime: 60_000,
    enabled: appId > 0,
  });

/** The positions of a competitor for one keyword. Unknown days are missing. */
export const competitorHistoryQuery = (
  appId: number,
  competitorId: number,
  keywordId: number,
  span: Span,
) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitors', competitorId, keywordId, span],
    queryFn: ({ signal }) =>
      collectPages((cursor) =>
        call(
          'GET /apps/{id}/competitors/{cid}/rankings',
          {
            params: { id: appId, cid: competitorId },
            query: { ...span, keywordIds: keywordId, limit: 500, cursor },
          },
          signal,
        ),
      ),
    staleTime: 60_000,
  });
