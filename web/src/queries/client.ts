import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '#client/http.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { isApiError } from '../describe-error.ts';
import { saveSignedInHint, sessionQuery } from './session.ts';

/**
 * Errors of the store and of limits are shown at once and not retried; ErrorNotice handles the
 * wait. Only network and server errors are retried.
 */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return error instanceof ApiError
    ? error.status >= 500 && error.envelope.code !== 'store_unavailable'
    : true;
}

/** Errors which mean that the status of the workspace has changed. */
const workspaceStateErrors: readonly string[] = [
  'no_live_plan',
  'workspace_suspended',
] satisfies ErrorCode[];

export function createQueryClient(onSignedOut: () => void): QueryClient {
  /** The page loads again if the session was switched to another workspace than its own. */
  const readSwitchedSession = (error: Error) => {
    if (isApiError(error, 'workspace_switched'))
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const queryClient: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError(error) {
        readSwitchedSession(error);
        if (!(error instanceof ApiError) || !workspaceStateErrors.includes(error.envelope.code))
          return;
        for (const queryKey of [['session'], ['workspace'], ['budget'], ['billing']])
          void queryClient.invalidateQueries({ queryKey });
      },
    }),
    queryCache: new QueryCache({
      onError(error) {
        readSwitchedSession(error);
        if (!(error instanceof ApiError) || error.status !== 401) return;
        saveSignedInHint(false);
        onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: isWorthRetrying,
        refetchOnWindowFocus: false,
        // Without a network the service worker responds.
        networkMode: 'always',
      },
      // The server may be on the same machine, and a change must not wait for a network unseen.
      mutations: { networkMode: 'always' },
    },
  });
  return queryClient;
}
