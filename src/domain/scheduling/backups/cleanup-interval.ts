import type { BackupMaker } from '#domain/base/ports.ts';

const intervalMs = 10 * 60_000;

/** True at first, and then every ten minutes, so that a failure is not repeated with each tick. */
export function createCleanupInterval(): (maker: BackupMaker, now: Date) => boolean {
  const lastAtMs = new WeakMap<BackupMaker, number>();
  return (maker, now) => {
    const last = lastAtMs.get(maker) ?? -Infinity;
    if (now.getTime() - last < intervalMs) return false;
    lastAtMs.set(maker, now.getTime());
    return true;
  };
}
