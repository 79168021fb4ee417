import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';

/** Who is who in this workspace, for naming whoever did something. */
export const membersQuery = queryOptions({
  queryKey: ['workspace', 'member-names'],
  queryFn: ({ signal }) => call('GET /workspace/members', {}, signal),
  staleTime: 5 * 60_000,
});
