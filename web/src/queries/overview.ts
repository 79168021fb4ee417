import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import type { Action } from './actions.ts';
import type { Span } from './apps.ts';

const newest = 8;

export const newestEventsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['events', 'newest', appId],
    queryFn: ({ signal }) =>
      call('GET /events', { query: { appId, order: 'desc', limit: newest } }, signal),
    enabled: appId > 0,
  });

const severityOrder: Action['severity'][] = ['high', 'medium', 'low'];

/** The open actions of an app by severity, with their total. */
export const openActionsQuery = (appId: number) =>
  queryOptions({
    queryKey: ['actions', 'open', appId],
    queryFn: async ({ signal }) => {
      const { items, total } = await call(
        'GET /actions',
        { query: { appId, state: 'open', limit: 100 } },
        signal,
      );
      return {
        items: items.toSorted(
          (a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity),
        ),
        total,
      };
    },
    enabled: appId > 0,
  });

/** The rating of the app in its primary country by day, oldest first. */
export const ratingQuery = (appId: number, country: string, span: Span) =>
  queryOptions({
    queryKey: ['apps', appId, 'rating', country, span],
    queryFn: async ({ signal }) => {
      const { items } = await call(
        'GET /apps/{id}/ratings',
        { params: { id: appId }, query: { country, ...span, limit: 500 } },
        signal,
      );
      return items
        .filter((day) => day.rating !== null)
        .toSorted((a, b) => a.date.localeCompare(b.date));
    },
    enabled: appId > 0,
  });
