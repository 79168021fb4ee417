import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';
import type { Span } from './apps.ts';

export type TimelineItem = Answer<'GET /apps/{id}/timeline'>['items'][number];
export type TimelineKind = TimelineItem['kind'];
export type TimelineFact = NonNullable<TimelineItem['fact']>;
export type Change = Answer<'GET /apps/{id}/changes'>['items'][number];
export type ChangeImpact = Answer<'GET /changes/{id}/impact'>;
export type SnapshotDiff = Answer<'GET /apps/{id}/snapshots/diff'>;
export type FieldDiff = SnapshotDiff['fields'][number];

export interface TimelineFilter extends Span {
  /** Separated by commas; none: all. */
  kind: string | undefined;
  scope: 'own' | 'competitors' | undefined;
  country: string | undefined;
}

const pageSize = 100;

/** What happened, newest first, a page at a time. */
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

/** What is marked in charts: own changes, versions and notes. */
export const marksQuery = (appId: number, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'timeline', 'marks', span],
    queryFn: ({ signal }) =>
      call(
        'GET /apps/{id}/timeline',
        {
          params: { id: appId },
          query: { ...span, kind: 'change,version,annotation', competitors: 'false', limit: 200 },
        },
        signal,
      ),
    enabled: appId > 0,
  });

/** Two snapshots word by word. */
export const diffQuery = (appId: number, a: number, b: number) =>
  queryOptions({
    queryKey: ['apps', appId, 'snapshots', 'diff', a, b],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/snapshots/diff', { params: { id: appId }, query: { a, b } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Positions before and after a change, of the keywords it touched and of the others. */
export const impactQuery = (changeId: number, windowDays: number) =>
  queryOptions({
    queryKey: ['changes', changeId, 'impact', windowDays],
    queryFn: ({ signal }) =>
      call('GET /changes/{id}/impact', { params: { id: changeId }, query: { windowDays } }, signal),
  });
