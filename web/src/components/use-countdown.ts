import { useEffect, useState } from 'react';

/** Seconds left until something may be tried again; starts anew with every new cause. */
export function useCountdown(seconds: number | null, cause: unknown): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    const untilMs = Date.now() + (seconds ?? 0) * 1_000;
    const update = () => setLeft(Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000)));
    update();
    if (!seconds) return;
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [seconds, cause]);
  return left;
}
