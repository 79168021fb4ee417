import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callVersioned, type ResponseOf, type Request } from '../api.ts';
import type { Span } from './apps.ts';

export type WorkspaceSettings = ResponseOf<'GET /settings'>;
export type AuditEntry = ResponseOf<'GET /workspace/audit'>['items'][number];
export type Usage = ResponseOf<'GET /workspace/usage'>;

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => callVersioned('GET /settings', {}, signal),
  staleTime: 5 * 60_000,
});

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: ({ signal }) => callVersioned('GET /workspace', {}, signal),
});

export const usageQuery = (span: Span) =>
  queryOptions({
    queryKey: ['workspace', 'usage', span],
    queryFn: ({ signal }) => call('GET /workspace/usage', { query: span }, signal),
  });

type AuditFilters = Omit<NonNullable<Request<'GET /workspace/audit'>['query']>, 'cursor' | 'limit'>;
const auditPageSize = 50;

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['workspace', 'audit', filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /workspace/audit',
        { query: { ...filters, limit: auditPageSize, ...(pageParam && { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
