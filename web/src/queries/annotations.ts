import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import { collectPages } from './collect-pages.ts';

export type Note = ResponseOf<'GET /apps/{id}/annotations'>['items'][number];

/**
 * The annotations of an app from one day to another, or without an end, newest day first. Planned
 * ones are included.
 */
export const annotationsQuery = (appId: number, from: string, to: string | undefined) =>
  queryOptions({
    queryKey: ['apps', appId, 'annotations', from, to ?? 'on'],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/annotations',
        { params: { id: appId }, query: { from, to, limit: 500 } },
        signal,
      ),
    enabled: appId > 0,
  });

/** An annotation as it is now, on whatever day; undefined when it is gone. */
export async function findAnnotation(appId: number, id: number): Promise<Note | undefined> {
  const { items } = await collectPages((cursor) =>
    call('GET /apps/{id}/annotations', { params: { id: appId }, query: { limit: 500, cursor } }),
  );
  return items.find((note) => note.id === id);
}

/** The data that shows annotations. */
export function refetchAnnotations(queryClient: QueryClient, appId: number): void {
  for (const what of ['annotations', 'timeline'])
    void queryClient.invalidateQueries({ queryKey: ['apps', appId, what] });
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'keywords' && queryKey[2] === 'history',
  });
}
