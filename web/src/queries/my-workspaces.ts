import { queryOptions, useMutation } from '@tanstack/react-query';
import { call, type Answer } from '../api.ts';
import { showError } from '../components/toasts.tsx';
import { loadWorkspace, tellOtherTabs } from '../open-workspace.ts';

export type MyWorkspace = Answer<'GET /auth/workspaces'>['items'][number];

export const myWorkspacesQuery = queryOptions({
  queryKey: ['my-workspaces'],
  queryFn: ({ signal }) => call('GET /auth/workspaces', {}, signal),
});

/** Where one begins there: with an app, with the way back out of a deletion, or with the first app. */
async function findStart({ state }: MyWorkspace): Promise<string> {
  const [first] = (await call('GET /apps', { query: { limit: 1 } })).items;
  if (first) return `/apps/${first.id}`;
  return state === 'suspended' ? '/settings' : '/welcome';
}

/** Goes on in another workspace, in all tabs. */
export function useOpenWorkspace() {
  return useMutation({
    mutationFn: (workspaceId: number) =>
      call('PUT /auth/session/workspace', { body: { workspaceId } }),
    async onSuccess(workspace) {
      tellOtherTabs();
      loadWorkspace(await findStart(workspace).catch(() => '/'));
    },
    onError: showError,
  });
}
