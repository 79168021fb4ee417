import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../components/toasts/toasts.tsx';
import { loadWorkspace, consumeReloadFlag, switchKey, watchWorkspace } from '../open-workspace.ts';
import { sessionQuery } from '../queries/session.ts';
import { PagePending } from './page-pending.tsx';

/**
 * Wraps all signed-in pages. A tab shows one workspace to one person; if the session changes to
 * another workspace or person, the page reloads.
 */
export function WorkspaceBoundary() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const session = useQuery(sessionQuery).data;
  const [shown] = useState(session);
  const isOther =
    session &&
    shown &&
    (session.workspace.id !== shown.workspace.id || session.user.id !== shown.user.id);
  useEffect(
    () =>
      watchWorkspace(() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })),
    [queryClient],
  );
  useEffect(() => {
    if (isOther && queryClient.isMutating({ mutationKey: switchKey }) === 0) loadWorkspace('/');
  }, [isOther, queryClient]);
  useEffect(() => {
    if (shown && consumeReloadFlag())
      showSuccess(t('workspaces.opened', { name: shown.workspace.name }));
  }, [shown, t]);
  return isOther ? <PagePending /> : <Outlet />;
}
