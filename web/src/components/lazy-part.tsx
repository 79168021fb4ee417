import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { showError } from './toasts/toasts.tsx';

interface LoadingProps {
  /** Shown until the code is loaded. */
  fallback?: ReactNode;
  /**
   * Closes the part when its code cannot be loaded; a toast shows the error. Without it the error
   * is shown in place of the part.
   */
  onFail?: () => void;
}

/**
 * A part of a page whose code loads when it is first mounted. A failure of React's `lazy` would
 * replace the whole page, and stay. Here each mount tries again; Chromium keeps the failure of a
 * file until the page is reloaded, so the error says to do that.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPart({ fallback = null, onFail, ...props }: Props & LoadingProps): ReactNode {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<unknown>(null);
    const fail = useEffectEvent((failure: unknown) => {
      if (!onFail) return setError(failure);
      showError(failure);
      onFail();
    });
    useEffect(() => {
      // Another part may have loaded it since this one was drawn.
      if (loaded) return setPart(() => loaded);
      let isMounted = true;
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        (failure: unknown) => isMounted && fail(failure),
      );
      return () => {
        isMounted = false;
      };
    }, []);
    if (Part) return <Part {...(props as unknown as Props)} />;
    return error === null ? (
      fallback
    ) : (
      <ErrorNotice error={error} onRetry={() => location.reload()} />
    );
  };
}
