import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';
import type { Span } from './apps.ts';

export type KeptResults = Answer<'GET /keywords/{keywordId}/serp'>;
export type ResultItem = KeptResults['items'][number];
export type ResultsDiff = Answer<'GET /keywords/{keywordId}/serp/diff'>;
export type ResultsMove = ResultsDiff['moved'][number];

/** Days of the span with kept results, newest first. */
export const resultDaysQuery = (keywordId: number, span: Span) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'result-days', span],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        'GET /keywords/{keywordId}/serp/dates',
        { params: { keywordId }, query: span },
        signal,
      );
      return items.toSorted((a, b) => b.date.localeCompare(a.date));
    },
    staleTime: 60_000,
  });

export const resultsQuery = (keywordId: number, date: string) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'results', date],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}/serp',
        { params: { keywordId }, query: { date, limit: 200 } },
        signal,
      ),
  });

export const resultsDiffQuery = (keywordId: number, a: string, b: string) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'results-diff', a, b],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}/serp/diff',
        { params: { keywordId }, query: { a, b, top: 50 } },
        signal,
      ),
  });
