import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showSuccess } from '../components/toasts/toasts.tsx';
import { loadWorkspace, consumeReloadFlag, watchWorkspace } from '../open-workspace.ts';
import { sessionQuery } from '../queries/session.ts';

/**
 * Wraps all signed-in pages. A tab shows one workspace; if the session changes to another one, the
 * page reloads.
 */
export function WorkspaceBoundary() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const workspace = useQuery(sessionQuery).data?.workspace;
  const [shown] = useState(workspace);
  const isOther = workspace !== undefined && shown !== undefined && workspace.id !== shown.id;
  useEffect(
    () =>
      watchWorkspace(() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })),
    [queryClient],
  );
  useEffect(() => {
    if (isOther) loadWorkspace('/');
  }, [isOther]);
  useEffect(() => {
    if (shown && consumeReloadFlag()) showSuccess(t('workspaces.opened', { name: shown.name }));
  }, [shown, t]);
  return isOther ? null : <Outlet />;
}
