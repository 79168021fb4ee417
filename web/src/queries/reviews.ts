import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf, type Request } from '../api.ts';
import type { Span } from './apps.ts';

export type Review = ResponseOf<'GET /apps/{id}/reviews'>['items'][number];
export type ReviewStats = ResponseOf<'GET /apps/{id}/reviews/stats'>;
export type ReviewCoverage = ReviewStats['coverage'][number];
export type ReviewTopic = ResponseOf<'GET /apps/{id}/reviews/topics'>['items'][number];
export type RatingDay = ResponseOf<'GET /apps/{id}/ratings'>['items'][number];
export type ReviewFilter = Omit<
  NonNullable<Request<'GET /apps/{id}/reviews'>['query']>,
  'limit' | 'cursor'
>;
export type ReviewUpdate = NonNullable<Request<'PATCH /reviews/{reviewId}'>['body']>;

const pageSize = 50;

export const reviewPagesQuery = (appId: number, filter: ReviewFilter) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'reviews', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /apps/{id}/reviews',
        { params: { id: appId }, query: { ...filter, limit: pageSize, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

export const reviewQuery = (reviewId: number) =>
  queryOptions({
    queryKey: ['reviews', reviewId],
    queryFn: ({ signal }) => call('GET /reviews/{reviewId}', { params: { reviewId } }, signal),
  });

export const reviewStatsQuery = (
  appId: number,
  country: string | undefined,
  span: Span,
  by: ReviewStats['by'],
) =>
  queryOptions({
    queryKey: ['apps', appId, 'review-stats', country ?? 'all', span, by],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/reviews/stats',
        { params: { id: appId }, query: { ...span, by, country } },
        signal,
      ),
  });

export const reviewTopicsQuery = (
  appId: number,
  country: string | undefined,
  span: Span,
  rating: string | undefined,
) =>
  queryOptions({
    queryKey: ['apps', appId, 'review-topics', country ?? 'all', span, rating ?? 'all'],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/reviews/topics',
        { params: { id: appId }, query: { ...span, country, rating, limit: 50 } },
        signal,
      ),
  });

const ratingPage = 500;
const maxRatingPages = 20;

/** All days of all countries; loaded page by page, because a year of fifty countries is large. */
export const ratingsQuery = (appId: number, country: string | undefined, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'ratings', country ?? 'all', span],
    queryFn: async ({ signal }) => {
      const days: RatingDay[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxRatingPages; page += 1) {
        const query = { ...span, country, limit: ratingPage, cursor };
        const response = await call(
          'GET /apps/{id}/ratings',
          { params: { id: appId }, query },
          signal,
        );
        days.push(...response.items);
        if (!response.nextCursor) break;
        cursor = response.nextCursor;
      }
      return days;
    },
  });
