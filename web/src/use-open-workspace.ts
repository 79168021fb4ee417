import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createClient } from '#client/http.ts';
import { call } from './api.ts';
import { apiPath } from './base-path.ts';
import { showError } from './components/toasts/toasts.tsx';
import { loadWorkspace, notifyOtherTabs, switchKey } from './open-workspace.ts';
import type { MyWorkspace } from './queries/my-workspaces.ts';
import { sessionQuery } from './queries/session.ts';

/** For the workspace of the session; `call` is for the one that is shown. */
const callSession = createClient({ baseUrl: apiPath });

/**
 * The start page of a workspace: an app, the restore page of a deleted workspace, or the first app.
 */
async function findStart({ state }: MyWorkspace): Promise<string> {
  const [first] = (await callSession('GET /apps', { query: { limit: 1 } })).items;
  if (first) return `/apps/${first.id}`;
  return state === 'suspended' ? '/settings' : '/welcome';
}

/**
 * Switches to another workspace in all tabs. The page of the previous one ends at once: its data
 * would be refused, and loading the next page can take seconds.
 */
export function useOpenWorkspace() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: switchKey,
    mutationFn: (workspaceId: number) =>
      call('PUT /auth/session/workspace', { body: { workspaceId } }),
    async onSuccess(workspace) {
      notifyOtherTabs();
      const { id, name, role, state } = workspace;
      queryClient.setQueryData(
        sessionQuery.queryKey,
        (session) =>
          session && { ...session, role, workspace: { ...session.workspace, id, name, state } },
      );
      loadWorkspace(await findStart(workspace).catch(() => '/'));
    },
    onError: showError,
  });
}
