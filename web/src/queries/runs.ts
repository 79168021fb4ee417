import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

export const runsQuery = (limit: number) =>
  queryOptions({
    queryKey: ['runs', limit],
    queryFn: ({ signal }) => call('GET /runs', { query: { limit } }, signal),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });

export const budgetQuery = queryOptions({
  queryKey: ['budget'],
  queryFn: ({ signal }) => call('GET /jobs/budget', {}, signal),
  staleTime: 30_000,
});
