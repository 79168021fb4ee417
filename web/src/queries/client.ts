import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../src/client/http.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { rememberSignedIn } from './session.ts';

/** What the store or a limit refused is told at once, and where it is told is waited (ErrorNotice); only a hiccup of our own side is tried again. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return error instanceof ApiError
    ? error.status >= 500 && error.envelope.code !== 'store_unavailable'
    : true;
}

/** Refusals by which we learn that the workspace stands elsewhere than the page believes. */
const newsOfState: readonly string[] = [
  'no_live_plan',
  'workspace_suspended',
] satisfies ErrorCode[];

export function createQueryClient(onSignedOut: () => void): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onError(error) {
        if (!(error instanceof ApiError) || !newsOfState.includes(error.envelope.code)) return;
        for (const queryKey of [['session'], ['workspace'], ['budget'], ['billing']])
          void queryClient.invalidateQueries({ queryKey });
      },
    }),
    queryCache: new QueryCache({
      onError(error) {
        if (!(error instanceof ApiError) || error.status !== 401) return;
        rememberSignedIn(false);
        onSignedOut();
      },
    }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: isWorthRetrying, refetchOnWindowFocus: false },
    },
  });
  return queryClient;
}
