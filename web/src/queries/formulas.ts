import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

export const formulasQuery = queryOptions({
  queryKey: ['formulas'],
  queryFn: ({ signal }) => call('GET /scores/formulas', {}, signal),
  staleTime: Infinity,
});
