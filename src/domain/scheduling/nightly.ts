const dayMs = 86_400_000;
const minuteMs = 60_000;
export const leaseMs = 60_000;
const renewEveryMs = 15_000;

/** The newest instant of a daily schedule that has come, at `atMinutes` after midnight UTC. */
export function lastScheduledInstant(now: Date, atMinutes: number): Date {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const today = midnight + atMinutes * minuteMs;
  return new Date(today <= now.getTime() ? today : today - dayMs);
}

/**
 * Renews the lease of work that takes longer than a tick. `renew` returns false when another
 * process has taken it over, which aborts the signal with `lostMessage`.
 */
export function keepLease(
  renew: () => Promise<boolean>,
  lostMessage: string,
): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew().then(
      (isHeld) => isHeld || lost.abort(new Error(lostMessage)),
      () => undefined,
    );
  }, renewEveryMs);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
