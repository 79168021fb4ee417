import type { QueryClient } from '@tanstack/react-query';
import { hideAllToasts } from './components/toasts/toast-store.ts';
import { forgetDrafts } from './drafts.ts';
import { authStateQuery, saveSignedInHint } from './queries/session.ts';

/**
 * Shows the sign-in page after the end of the session, and clears toasts, drafts and cached data of
 * the person. Data requested by that page stays.
 */
export async function leaveSession(
  queryClient: QueryClient,
  showSignIn: () => Promise<unknown>,
): Promise<void> {
  saveSignedInHint(false);
  hideAllToasts();
  await showSignIn();
  forgetDrafts();
  queryClient.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== authStateQuery.queryKey[0],
  });
}
