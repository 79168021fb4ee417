import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Answer, type Request } from '../api.ts';

export type OperatedWorkspace = Answer<'GET /admin/workspaces'>['items'][number];
export type InstanceCapacity = Answer<'GET /admin/capacity'>;
export type OperatedStore = Answer<'GET /admin/stores'>['items'][number];
export type WayOut = Answer<'GET /admin/proxies'>['items'][number];
type Filters = Pick<NonNullable<Request<'GET /admin/workspaces'>['query']>, 'state' | 'search'>;

const workspacesAtOnce = 50;

export const operatedWorkspacesQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'workspaces', filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /admin/workspaces',
        { query: { ...filters, limit: workspacesAtOnce, ...(pageParam && { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

const watchedEveryMs = 60_000;

export const instanceCapacityQuery = queryOptions({
  queryKey: ['operator', 'capacity'],
  queryFn: ({ signal }) => call('GET /admin/capacity', {}, signal),
  refetchInterval: watchedEveryMs,
});

export const operatedStoresQuery = queryOptions({
  queryKey: ['operator', 'stores'],
  queryFn: ({ signal }) => call('GET /admin/stores', {}, signal),
  refetchInterval: watchedEveryMs,
});

export const waysOutQuery = queryOptions({
  queryKey: ['operator', 'proxies'],
  queryFn: ({ signal }) => call('GET /admin/proxies', {}, signal),
  refetchInterval: watchedEveryMs,
});
