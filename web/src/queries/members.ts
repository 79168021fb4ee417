import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';
import { membersQuery } from './member-names.ts';

export type Member = ResponseOf<'GET /workspace/members'>['items'][number];
export type Invite = ResponseOf<'GET /workspace/invites'>['items'][number];
export type CreatedInvite = ResponseOf<'POST /workspace/invites'>;

export { membersQuery };

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => call('GET /workspace/invites', {}, signal),
});

/** After a member lost a role or was removed, which also ends their invitations. */
export const refreshMembers = (queryClient: QueryClient) =>
  Promise.all(
    [membersQuery, invitesQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  );
