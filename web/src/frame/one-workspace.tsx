import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showDone } from '../components/toasts.tsx';
import { loadWorkspace, takeLoaded, watchWorkspace } from '../open-workspace.ts';
import { sessionQuery } from '../queries/session.ts';

/** Around all pages of who is signed in: a tab shows one workspace. When the session comes to be for another, all is loaded anew. */
export function OneWorkspace() {
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
    if (shown && takeLoaded()) showDone(t('workspaces.opened', { name: shown.name }));
  }, [shown, t]);
  return isOther ? null : <Outlet />;
}
