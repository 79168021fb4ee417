import { useCallback } from 'react';
import { showError } from './components/toasts/toasts.tsx';
import { useIsMounted } from './use-is-mounted.ts';

/**
 * For the `onError` of a mutation whose component shows the error itself: once the page was left or
 * the dialog closed, a toast shows it.
 */
export function useErrorAfterLeaving(): (error: Error) => void {
  const isMounted = useIsMounted();
  return useCallback(
    (error) => {
      if (!isMounted()) showError(error);
    },
    [isMounted],
  );
}
