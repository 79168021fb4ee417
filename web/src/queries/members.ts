import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';

export type Member = Answer<'GET /workspace/members'>['items'][number];
export type Invite = Answer<'GET /workspace/invites'>['items'][number];
export type CreatedInvite = Answer<'POST /workspace/invites'>;

export { membersQuery } from './member-names.ts';

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => call('GET /workspace/invites', {}, signal),
});
