import type { RequestWindow, WindowUse } from '../domain/billing/request-counters.ts';

export const leaseSeconds = 60;
/** Of full windows that are told. */
export const listedMax = 10_000;

/** Which window it is since 1970; minutes, UTC hours and UTC days all divide time from there. */
export function indexAt({ seconds }: Pick<RequestWindow, 'seconds'>, nowMs: number): number {
  return Math.floor(nowMs / (seconds * 1_000));
}

/** At least a second: in the last half of one it is not over yet. */
export function resetSecondsAt({ seconds }: Pick<RequestWindow, 'seconds'>, nowMs: number): number {
  return Math.max(1, Math.ceil(seconds - ((nowMs / 1_000) % seconds)));
}

export function showUse(window: RequestWindow, used: number, nowMs: number): WindowUse {
  return { ...window, used, resetSeconds: resetSecondsAt(window, nowMs) };
}
