import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

/** A named page of the dashboard with its filters, the same for everyone in the workspace. */
export type SavedView = ResponseOf<'GET /views'>['items'][number];

export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => call('GET /views', { query: { limit: 500 } }, signal),
  staleTime: 60_000,
});
