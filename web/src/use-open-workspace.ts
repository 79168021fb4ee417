import { useMutation } from '@tanstack/react-query';
import { call } from './api.ts';
import { showError } from './components/toasts/toasts.tsx';
import { loadWorkspace, notifyOtherTabs } from './open-workspace.ts';
import type { MyWorkspace } from './queries/my-workspaces.ts';

/**
 * The start page of a workspace: an app, the restore page of a deleted workspace, or the first app.
 */
async function findStart({ state }: MyWorkspace): Promise<string> {
  const [first] = (await call('GET /apps', { query: { limit: 1 } })).items;
  if (first) return `/apps/${first.id}`;
  return state === 'suspended' ? '/settings' : '/welcome';
}

/** Switches to another workspace in all tabs. */
export function useOpenWorkspace() {
  return useMutation({
    mutationFn: (workspaceId: number) =>
      call('PUT /auth/session/workspace', { body: { workspaceId } }),
    async onSuccess(workspace) {
      notifyOtherTabs();
      loadWorkspace(await findStart(workspace).catch(() => '/'));
    },
    onError: showError,
  });
}
