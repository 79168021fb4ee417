import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type Action = ResponseOf<'GET /actions'>['items'][number];
export type ActionDetail = ResponseOf<'GET /actions/{id}'>;
export interface ActionFilter {
  status: Action['state'];
  type?: Action['type'] | undefined;
  severity?: Action['severity'] | undefined;
  appId?: number | undefined;
}

const pageSize = 200;

export const actionsKey = ['actions'] as const;

/** The actions of one status, newest first. */
export const actionPagesQuery = ({ status: state, ...filter }: ActionFilter) =>
  infiniteQueryOptions({
    queryKey: [...actionsKey, 'list', state, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /actions',
        { query: { limit: pageSize, cursor: pageParam, state, ...filter } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

export const actionQuery = (id: number) =>
  queryOptions({
    queryKey: [...actionsKey, 'one', id],
    queryFn: ({ signal }) => call('GET /actions/{id}', { params: { id } }, signal),
  });

/** The number of actions per status, regardless of other filters. */
export const actionCountQuery = (status: Action['state']) =>
  queryOptions({
    queryKey: [...actionsKey, 'count', status],
    queryFn: async ({ signal }) =>
      (await call('GET /actions', { query: { limit: 1, state: status } }, signal)).total,
  });
