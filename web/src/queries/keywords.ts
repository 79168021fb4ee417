import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callVersioned, type ResponseOf, type Keyword } from '../api.ts';
import type { MarketFilter } from '../scope.ts';
import type { Span } from './apps.ts';
import { collectPages } from './collect-pages.ts';

const pageSize = 500;
const maxRows = 5_000;
export type KeywordPage = ResponseOf<'GET /apps/{id}/keywords'>;

function readPage(
  appId: number,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<KeywordPage> {
  const query = {
    limit: pageSize,
    sort: '-createdAt',
    include: 'latest,spark,words',
    cursor,
  } as const;
  return call('GET /apps/{id}/keywords', { params: { id: appId }, query }, signal);
}

/** All keywords, newest first, so that newly added and pending ones are on the first page. */
export const keywordPagesQuery = (appId: number) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'keywords'],
    queryFn: ({ pageParam, signal }) => readPage(appId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: findNextCursor,
    staleTime: 30_000,
  });

const findNextCursor = (last: KeywordPage, pages: readonly KeywordPage[]): string | undefined =>
  pages.length * pageSize < maxRows ? (last.nextCursor ?? undefined) : undefined;

/** Whether keywords are left to read, of the first 5,000. */
export const hasMorePages = ({ pages }: { pages: readonly KeywordPage[] }): boolean =>
  pages.length > 0 && findNextCursor(pages.at(-1)!, pages) !== undefined;

export const matrixPageSize = 100;

/** The keywords that match, those with the best positions first. */
export const keywordsByPositionQuery = (
  appId: number,
  filter: MarketFilter & { q?: string | undefined; tag?: string | undefined },
) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'keywords-by-position', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /apps/{id}/keywords',
        {
          params: { id: appId },
          query: {
            ...filter,
            limit: matrixPageSize,
            sort: 'position',
            include: 'words',
            cursor: pageParam,
          },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    staleTime: 30_000,
  });

/** Refetches one page, because polling five thousand rows would cost ten requests each time. */
export const readKeywordPage = readPage;

export const isWaiting = (keyword: Pick<Keyword, 'pending'>): boolean =>
  keyword.pending === 'queued' || keyword.pending === 'running';

export const keywordQuery = (keywordId: number) =>
  queryOptions({
    queryKey: ['keywords', keywordId],
    queryFn: ({ signal }) =>
      callVersioned(
        'GET /keywords/{keywordId}',
        { params: { keywordId }, query: { include: 'latest,spark,words' } },
        signal,
      ),
  });

/**
 * All days of the period, oldest first, with gap reasons. The result has its period: it can be
 * shown while another one loads.
 */
export const historyQuery = (keywordId: number, span: Span) =>
  queryOptions({
    queryKey: ['keywords', keywordId, 'history', span],
    queryFn: async ({ signal }) => {
      const response = await collectPages((cursor) =>
        call(
          'GET /keywords/{keywordId}/rankings',
          { params: { keywordId }, query: { ...span, fill: 'gaps', cursor } },
          signal,
        ),
      );
      return {
        ...response,
        span,
        items: response.items.toSorted((a, b) => a.date.localeCompare(b.date)),
      };
    },
  });
