import { pacingMarkers, type StoreError } from '../ports.ts';

export const maxAttemptsADay = 6;
const backoffMinutes = [1, 5, 15, 30, 60];

export type NextTry = { kind: 'again'; attempts: number; at: Date } | { kind: 'give-up' };

/**
 * When to ask again. A refusal says nothing about the question, so it uses up no attempt; nor does what never left us, or what
 * our own pacing broke off: first pages are not asked for anew at once then. A question the store cannot answer is not asked twice.
 */
export function nextTry(error: Pick<StoreError, 'failure' | 'marker' | 'retryAfterMs' | 'cost'>, attemptsBefore: number, now: Date): NextTry {
  const again = (attempts: number, waitMs: number): NextTry => ({ kind: 'again', attempts, at: new Date(now.getTime() + waitMs) });
  if (error.failure === 'unavailable' && error.cost.requests === 0) return again(attemptsBefore, 0);
  if (error.failure === 'unavailable' && pacingMarkers.includes(error.marker)) return again(attemptsBefore, backoffMinutes[0]! * 60_000);
  if (error.failure === 'not_offered' || error.failure === 'bad_request') return { kind: 'give-up' };
  if (error.failure === 'refused') return again(attemptsBefore, Math.max(error.retryAfterMs ?? 0, 30_000));
  const attempts = attemptsBefore + 1;
  if (attempts >= maxAttemptsADay) return { kind: 'give-up' };
  return again(attempts, error.retryAfterMs ?? (backoffMinutes[attempts - 1] ?? 60) * 60_000);
}
