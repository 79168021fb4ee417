import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import type { MarketFilter } from '../scope.ts';
import type { ChartColumn } from './charts.ts';
import { collectPages } from './collect-pages.ts';
import type { Counted } from './visibility.ts';

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

export type CompetitorVisibility = ResponseOf<'GET /apps/{id}/competitors/{cid}/visibility'>;

/** The visibility of a competitor on the keywords of the app. */
export const competitorVisibilityQuery = (
  appId: number,
  competitorId: number,
  { market, span, keywords }: { market: MarketFilter; span: Span; keywords: Counted },
) =>
  queryOptions({
    // Read again with the visibility of the app.
    queryKey: ['apps', appId, 'visibility', market, span, keywords, competitorId],
    queryFn: ({ signal }) =>
      collectPages((cursor) =>
        call(
          'GET /apps/{id}/competitors/{cid}/visibility',
          {
            params: { id: appId, cid: competitorId },
            query: { ...market, ...span, keywords, cursor },
          },
          signal,
        ),
      ),
    staleTime: 60_000,
  });

/** The positions of a competitor in the charts of a country that the app tracks. */
export const competitorRanksQuery = (
  appId: number,
  competitorId: number,
  { country, chart, span }: { country: string; chart: ChartColumn['chart']; span: Span },
) =>
  queryOptions({
    queryKey: ['apps', appId, 'competitors', competitorId, 'charts', country, chart, span],
    queryFn: ({ signal }) =>
      collectPages((cursor) =>
        call(
          'GET /apps/{id}/competitors/{cid}/category-ranks',
          {
            params: { id: appId, cid: competitorId },
            query: { ...span, country, chart, limit: 500, cursor },
          },
          signal,
        ),
      ),
    staleTime: 60_000,
  });
