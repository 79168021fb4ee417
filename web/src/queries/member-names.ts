import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

/** The names of the members, for showing who did something. */
export const membersQuery = queryOptions({
  queryKey: ['workspace', 'member-names'],
  queryFn: ({ signal }) => call('GET /workspace/members', {}, signal),
  staleTime: 5 * 60_000,
});
