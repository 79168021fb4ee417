import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf, type Request } from '../api.ts';
import { collectPages } from './collect-pages.ts';

export type AdminWorkspace = ResponseOf<'GET /admin/workspaces'>['items'][number];
export type InstanceCapacity = ResponseOf<'GET /admin/capacity'>;
export type AdminStore = ResponseOf<'GET /admin/stores'>['items'][number];
export type AdminField = ResponseOf<'GET /admin/fields'>['items'][number];
export type AdminBackups = ResponseOf<'GET /admin/backups'>;
export type AdminBackup = AdminBackups['items'][number];
export type EgressProxy = ResponseOf<'GET /admin/proxies'>['items'][number];
type Filters = Pick<NonNullable<Request<'GET /admin/workspaces'>['query']>, 'state' | 'q'>;

const workspaceBatchSize = 50;

export const adminWorkspacesQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'workspaces', filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /admin/workspaces',
        {
          query: { ...filters, limit: workspaceBatchSize, ...(pageParam && { cursor: pageParam }) },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });

const refetchIntervalMs = 60_000;

export const instanceCapacityQuery = queryOptions({
  queryKey: ['admin', 'capacity'],
  queryFn: ({ signal }) => call('GET /admin/capacity', {}, signal),
  refetchInterval: refetchIntervalMs,
});

export const adminStoresQuery = queryOptions({
  queryKey: ['admin', 'stores'],
  queryFn: ({ signal }) => call('GET /admin/stores', {}, signal),
  refetchInterval: refetchIntervalMs,
});

export const adminFieldsQuery = queryOptions({
  queryKey: ['admin', 'fields'],
  queryFn: ({ signal }) =>
    collectPages((cursor) => call('GET /admin/fields', { query: { cursor } }, signal)),
  refetchInterval: refetchIntervalMs,
});

export const adminUpdatesQuery = queryOptions({
  queryKey: ['admin', 'updates'],
  queryFn: ({ signal }) => call('GET /admin/updates', {}, signal),
});

export const adminBackupsQuery = queryOptions({
  queryKey: ['admin', 'backups'],
  queryFn: ({ signal }) => call('GET /admin/backups', {}, signal),
  refetchInterval: refetchIntervalMs,
});

export const egressProxiesQuery = queryOptions({
  queryKey: ['admin', 'proxies'],
  queryFn: ({ signal }) => call('GET /admin/proxies', {}, signal),
  refetchInterval: refetchIntervalMs,
});
