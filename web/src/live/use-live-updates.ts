import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadLater } from '../later.ts';
import { sessionQuery } from '../queries/session.ts';

/**
 * Live updates of the open workspace, its last state while the server is away, and the focus in
 * lists whose rows are removed.
 */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  const workspaceId = useQuery(sessionQuery).data?.workspace.id;
  useEffect(() => {
    if (workspaceId === undefined) return undefined;
    let isOver = false;
    let stop: (() => void) | undefined;
    void loadLater().then(
      ({ startUpdates }) => {
        if (!isOver) stop = startUpdates(queryClient);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [queryClient, workspaceId]);
}
