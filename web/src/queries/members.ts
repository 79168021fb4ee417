import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type Member = ResponseOf<'GET /workspace/members'>['items'][number];
export type Invite = ResponseOf<'GET /workspace/invites'>['items'][number];
export type CreatedInvite = ResponseOf<'POST /workspace/invites'>;

export { membersQuery } from './member-names.ts';

export const invitesQuery = queryOptions({
  queryKey: ['invites'],
  queryFn: ({ signal }) => call('GET /workspace/invites', {}, signal),
});
