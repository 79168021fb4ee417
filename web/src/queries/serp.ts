import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import { maxDays, spanOf } from '../scope.ts';
import type { Span } from './apps.ts';
import { collectPages } from './collect-pages.ts';

export type StoredResults = ResponseOf<'GET /keywords/{keywordId}/serp'>;
export type SerpItem = StoredResults['items'][number];
export type SerpDay = ResponseOf<'GET /keywords/{keywordId}/serp/dates'>['items'][number];
export type SerpDiff = ResponseOf<'GET /keywords/{keywordId}/serp/diff'>;
export type SerpMove = SerpDiff['moved'][number];

/** The days with saved results, newest first. */
export const serpDatesQuery = (keywordId: number, span: Span) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'serp-dates', span],
    queryFn: async ({ signal }) => {
      const { items } = await collectPages((cursor) =>
        call(
          'GET /keywords/{keywordId}/serp/dates',
          { params: { keywordId }, query: { ...span, cursor } },
          signal,
        ),
      );
      return items.toSorted((a, b) => b.date.localeCompare(a.date));
    },
    staleTime: 60_000,
  });

export const serpQuery = (keywordId: number, date: string) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'serp', date],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}/serp',
        { params: { keywordId }, query: { date, limit: 200 } },
        signal,
      ),
  });

export const serpDiffQuery = (keywordId: number, a: string, b: string) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'serp-diff', a, b],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}/serp/diff',
        { params: { keywordId }, query: { a, b, top: 50 } },
        signal,
      ),
  });

/** The latest saved search results; null if there are none. */
export const newestSerpQuery = (keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'serp'],
    queryFn: async ({ signal }) => {
      const findDay = async (span?: Span) => {
        const { items } = await call(
          'GET /keywords/{keywordId}/serp/dates',
          { params: { keywordId }, query: { ...span, limit: 1 } },
          signal,
        );
        return items[0]?.date;
      };
      // The last 30 days, and all of them only for a keyword that has not been checked since.
      const date = (await findDay()) ?? (await findDay(spanOf(maxDays)));
      return date
        ? call(
            'GET /keywords/{keywordId}/serp',
            { params: { keywordId }, query: { date, limit: 50 } },
            signal,
          )
        : null;
    },
  });
