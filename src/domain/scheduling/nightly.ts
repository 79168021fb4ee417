import type { Services } from '#domain/base/context.ts';

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

/** Renews a lease until it is stopped; the signal aborts when another process has taken it. */
export function keepLease(
  { clock }: Pick<Services, 'clock'>,
  renew: (leasedUntil: Date) => Promise<boolean>,
): { signal: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew(new Date(clock.now().getTime() + leaseMs)).then(
      (isHeld) => isHeld || lost.abort(new Error('another process has taken this over')),
      () => undefined,
    );
  }, renewEveryMs);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}
