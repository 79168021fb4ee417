import { useEffect, useEffectEvent, useState } from 'react';

/** Seconds left until something may be tried again; starts anew with every new cause. `onOver` is called once when there are none. */
export function useCountdown(seconds: number | null, cause: unknown, onOver?: () => void): number {
  const [left, setLeft] = useState(seconds ?? 0);
  const tellOver = useEffectEvent(() => onOver?.());
  useEffect(() => {
    const untilMs = Date.now() + (seconds ?? 0) * 1_000;
    const count = () => Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000));
    setLeft(count());
    if (!seconds) return;
    const timer = setInterval(() => {
      setLeft(count());
      if (count() > 0) return;
      clearInterval(timer);
      tellOver();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return left;
}
