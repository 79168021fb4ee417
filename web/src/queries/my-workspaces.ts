import { queryOptions } from '@tanstack/react-query';
import { call, type ResponseOf } from '../api.ts';

export type MyWorkspace = ResponseOf<'GET /auth/workspaces'>['items'][number];

export const myWorkspacesQuery = queryOptions({
  queryKey: ['my-workspaces'],
  queryFn: ({ signal }) => call('GET /auth/workspaces', {}, signal),
});
