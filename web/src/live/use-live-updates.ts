import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '../queries/session.ts';

/** Live updates of the open workspace. They are loaded after the page, and never needed for it. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  const workspaceId = useQuery(sessionQuery).data?.workspace.id;
  useEffect(() => {
    if (workspaceId === undefined) return undefined;
    let isOver = false;
    let disconnect: (() => void) | undefined;
    void import('./connect-live.ts').then(
      ({ connectLive }) => {
        if (!isOver) disconnect = connectLive(queryClient);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      disconnect?.();
    };
  }, [queryClient, workspaceId]);
}
