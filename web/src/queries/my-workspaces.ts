import { queryOptions } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';

export type MyWorkspace = Answer<'GET /auth/workspaces'>['items'][number];

export const myWorkspacesQuery = queryOptions({
  queryKey: ['my-workspaces'],
  queryFn: ({ signal }) => call('GET /auth/workspaces', {}, signal),
});
