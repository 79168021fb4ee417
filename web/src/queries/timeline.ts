import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import type { Span } from './apps.ts';
import { collectPages } from './collect-pages.ts';

export type TimelineItem = ResponseOf<'GET /apps/{id}/timeline'>['items'][number];
export type TimelineKind = TimelineItem['kind'];
export type TimelineFact = NonNullable<TimelineItem['fact']>;
export type ChangeImpact = ResponseOf<'GET /changes/{id}/impact'>;
export type SnapshotDiff = ResponseOf<'GET /apps/{id}/snapshots/diff'>;
export type FieldDiff = SnapshotDiff['fields'][number];

export interface TimelineFilter extends Span {
  /** Comma-separated; all if left out. */
  kind: string | undefined;
  scope: 'own' | 'competitors' | undefined;
  country: string | undefined;
}

const pageSize = 100;

/** The timeline, newest first, page by page. */
export const timelinePagesQuery = (appId: number, filter: TimelineFilter) =>
  infiniteQueryOptions({
    queryKey: ['apps', appId, 'timeline', 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        'GET /apps/{id}/timeline',
        { params: { id: appId }, query: { ...filter, limit: pageSize, cursor: pageParam } },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
    enabled: appId > 0,
  });

/** The markers of charts: listing changes, versions, annotations and provider changes. */
export const timelineEventsQuery = (appId: number, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'timeline', 'marks', span],
    queryFn: ({ signal }) =>
      collectPages((cursor) =>
        call(
          'GET /apps/{id}/timeline',
          {
            params: { id: appId },
            query: {
              ...span,
              kind: 'change,version,annotation,provider',
              competitors: 'false',
              limit: 200,
              cursor,
            },
          },
          signal,
        ),
      ),
    enabled: appId > 0,
  });

export const diffQuery = (appId: number, a: number, b: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'snapshots', 'diff', a, b],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/snapshots/diff', { params: { id: appId }, query: { a, b } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const impactQuery = (changeId: number, windowDays: number) =>
  queryOptions({
    queryKey: ['changes', changeId, 'impact', windowDays],
    queryFn: ({ signal }) =>
      call('GET /changes/{id}/impact', { params: { id: changeId }, query: { windowDays } }, signal),
  });
