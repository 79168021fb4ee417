import type { RequestWindow, WindowUsage } from '#domain/base/ports/request-counters.ts';

export const leaseSeconds = 60;
/** The maximum number of full windows that are published. */
export const listedMax = 10_000;

/**
 * The ordinal of the window since 1970. Minutes, UTC hours and UTC days all divide that time
 * evenly.
 */
export function indexAt({ seconds }: Pick<RequestWindow, 'seconds'>, nowMs: number): number {
  return Math.floor(nowMs / (seconds * 1_000));
}

/** At least one second, because the window is still open in its last half second. */
function resetSecondsAt({ seconds }: Pick<RequestWindow, 'seconds'>, nowMs: number): number {
  return Math.max(1, Math.ceil(seconds - ((nowMs / 1_000) % seconds)));
}

export function toWindowUse(window: RequestWindow, used: number, nowMs: number): WindowUsage {
  return { ...window, used, resetSeconds: resetSecondsAt(window, nowMs) };
}
