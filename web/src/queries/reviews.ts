import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { addDays } from '#lib/dates.ts';
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
/** 20,000 ratings: a year of fifty countries. */
const maxRatingPages = 40;

export interface Ratings {
  days: RatingDay[];
  /** The days that were read; shorter than requested if the period has too many ratings. */
  span: Span;
}

type RatingPage = ResponseOf<'GET /apps/{id}/ratings'>;

/** Reads the newest days of a period, page by page, each with all of its countries. */
export async function collectRatings(
  span: Span,
  fetchPage: (cursor: string | undefined) => Promise<RatingPage>,
): Promise<Ratings> {
  const days: RatingDay[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxRatingPages; page += 1) {
    const { items, nextCursor } = await fetchPage(cursor);
    days.push(...items);
    if (nextCursor === null) return { days, span };
    cursor = nextCursor;
  }
  // The next page may have other countries of the last day.
  const cut = days.at(-1)!.date;
  const whole = days.filter(({ date }) => date > cut);
  return { days: whole, span: { ...span, from: addDays(cut, 1) } };
}

export const ratingsQuery = (appId: number, country: string | undefined, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'ratings', country ?? 'all', span],
    queryFn: ({ signal }) =>
      collectRatings(span, (cursor) =>
        call(
          'GET /apps/{id}/ratings',
          { params: { id: appId }, query: { ...span, country, limit: ratingPage, cursor } },
          signal,
        ),
      ),
  });
