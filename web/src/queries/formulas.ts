import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

/** Difficulty against the stored results; heavy for the server, so it is kept for a while. */
export const evaluationQuery = queryOptions({
  queryKey: ['score-evaluation'],
  queryFn: ({ signal }) => call('GET /scores/evaluation', {}, signal),
  staleTime: 60 * 60_000,
});

export const formulasQuery = queryOptions({
  queryKey: ['formulas'],
  queryFn: ({ signal }) => call('GET /scores/formulas', {}, signal),
  staleTime: Infinity,
});
