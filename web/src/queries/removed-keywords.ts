import { infiniteQueryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

type RemovedPage = ResponseOf<'GET /apps/{id}/removed-keywords'>;
export type RemovedKeyword = RemovedPage['items'][number];

/** The newest removal first. Read again whenever it is shown, because other tabs remove, too. */
export const removedKeywordsQuery = (appId: number) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'removed-keywords'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /apps/{id}/removed-keywords',
        { params: { id: appId }, query: { limit: 100, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: RemovedPage) => last.nextCursor ?? undefined,
    staleTime: 0,
  });
