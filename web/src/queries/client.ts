import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../src/client/http.ts';
import { rememberSignedIn } from './session.ts';

/** What the store or a limit refused is told at once; only a hiccup of our own side is tried again. */
function isWorthRetrying(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return error instanceof ApiError ? error.status >= 500 && error.envelope.code !== 'store_unavailable' : true;
}

export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (!(error instanceof ApiError) || error.status !== 401) return;
        rememberSignedIn(false);
        onSignedOut();
      },
    }),
    defaultOptions: { queries: { staleTime: 15_000, retry: isWorthRetrying, refetchOnWindowFocus: false } },
  });
}
