import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Answer, type Keyword } from '../api.ts';
import type { Span } from './apps.ts';

export const pageSize = 500;
export const maxRows = 5_000;
export type KeywordPage = Answer<'GET /apps/{id}/keywords'>;

function readPage(
  appId: number,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<KeywordPage> {
  const query = { limit: pageSize, sort: '-createdAt', include: 'latest,spark', cursor } as const;
  return call('GET /apps/{id}/keywords', { params: { id: appId }, query }, signal);
}

/** All keywords, newest first, so that what was just added (and is still being checked) stands in the first page. */
export const keywordPagesQuery = (appId: number) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'keywords'],
    queryFn: ({ pageParam, signal }) => readPage(appId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last, pages) =>
      pages.length * pageSize < maxRows ? (last.nextCursor ?? undefined) : undefined,
    staleTime: 30_000,
  });

/** Reads one page again in place; polling five thousand rows must not cost ten requests a beat. */
export const readKeywordPage = readPage;

export const isWaiting = (keyword: Keyword): boolean =>
  keyword.pending === 'queued' || keyword.pending === 'running';

export const keywordQuery = (keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId],
    queryFn: ({ signal }) =>
      call(
        'GET /keywords/{keywordId}',
        { params: { keywordId }, query: { include: 'latest,spark' } },
        signal,
      ),
  });

/** Every day of the span, oldest first: checked days and gaps with their reason. */
export const historyQuery = (keywordId: number, span: Span) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'history', span],
    queryFn: async ({ signal }) => {
      const answer = await call(
        'GET /keywords/{keywordId}/rankings',
        { params: { keywordId }, query: { ...span, fill: 'gaps' } },
        signal,
      );
      return { ...answer, items: answer.items.toSorted((a, b) => a.date.localeCompare(b.date)) };
    },
  });

/** The newest kept search results; a keyword without any is no error. */
export const newestSerpQuery = (keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'serp'],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        'GET /keywords/{keywordId}/serp/dates',
        { params: { keywordId } },
        signal,
      );
      const date = items
        .map((item) => item.date)
        .toSorted()
        .at(-1);
      return date
        ? call(
            'GET /keywords/{keywordId}/serp',
            { params: { keywordId }, query: { date, limit: 50 } },
            signal,
          )
        : null;
    },
  });
