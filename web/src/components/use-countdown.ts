import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Seconds until a retry is possible. It restarts with every new cause and calls `onOver` once at
 * the end.
 */
export function useCountdown(seconds: number | null, cause: unknown, onOver?: () => void): number {
  const [left, setLeft] = useState(seconds ?? 0);
  const notifyEnd = useEffectEvent(() => onOver?.());
  useEffect(() => {
    const untilMs = Date.now() + (seconds ?? 0) * 1_000;
    const count = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000));
    setLeft(count());
    if (!seconds) return;
    const timer = setInterval(() => {
      setLeft(count());
      if (count() > 0) return;
      clearInterval(timer);
      notifyEnd();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return left;
}
