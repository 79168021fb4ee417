import { pacingMarkers, type StoreError } from '../ports.ts';

export const maxAttemptsADay = 6;
const backoffMinutes = [1, 5, 15, 30, 60];
/** Where a store refuses everybody for hours, what reached it meanwhile still has an attempt left afterwards. */
const refusedBackoffMinutes = [1, 15, 60, 180, 360];
/** No longer than the pacer lets an endpoint rest. */
const maxToldMs = 3_600_000;

export type NextTry = { kind: 'again'; attempts: number; at: Date } | { kind: 'give-up' };
type Failed = Pick<StoreError, 'failure' | 'marker' | 'retryAfterMs' | 'cost'>;

/**
 * When to ask again. What never reached the store uses up no attempt; nor does what our own pacing broke off: first pages are not
 * asked for anew at once then. A refusal may be meant for the question alone, so it uses up one; how long its endpoint is to rest is
 * the pacer's to hold, so that another endpoint may be asked meanwhile. A question the store cannot answer is not asked twice.
 */
export function nextTry(error: Failed, attemptsBefore: number, now: Date): NextTry {
  const again = (attempts: number, waitMs: number): NextTry => ({
    kind: 'again',
    attempts,
    at: new Date(now.getTime() + waitMs),
  });
  const toldMs = error.retryAfterMs === null ? null : Math.min(error.retryAfterMs, maxToldMs);
  if (error.failure === 'unavailable' && error.cost.requests === 0) return again(attemptsBefore, 0);
  if (error.failure === 'unavailable' && pacingMarkers.includes(error.marker))
    return again(attemptsBefore, backoffMinutes[0]! * 60_000);
  if (error.failure === 'not_offered' || error.failure === 'bad_request')
    return { kind: 'give-up' };
  if (isHeldBack(error)) return again(attemptsBefore, Math.max(toldMs ?? 0, 30_000));
  const attempts = attemptsBefore + 1;
  if (attempts >= maxAttemptsADay) return { kind: 'give-up' };
  if (error.failure === 'refused')
    return again(attempts, refusedBackoffMinutes[attempts - 1]! * 60_000);
  return again(attempts, toldMs ?? backoffMinutes[attempts - 1]! * 60_000);
}

/** Refused by ourselves: every endpoint cools, at the first page or at a later one, or the store's canary fails. */
function isHeldBack({ failure, marker, cost }: Failed): boolean {
  return failure === 'refused' && (cost.requests === 0 || marker === 'cooling');
}
