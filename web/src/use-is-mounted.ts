import { useCallback, useEffect, useRef } from 'react';

/** Whether the component is still drawn, for responses that come after its dialog was closed. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return useCallback(() => isMounted.current, []);
}
