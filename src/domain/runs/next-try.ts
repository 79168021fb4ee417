import type { StoreError } from '../ports.ts';

export const maxAttemptsADay = 6;
const backoffMinutes = [1, 5, 15, 30, 60];

export type NextTry = { kind: 'again'; attempts: number; at: Date } | { kind: 'give-up' };

/**
 * When to ask again. A refusal says nothing about the question, so it uses up no attempt; nor does what never left us;
 * a question the store cannot answer is not asked twice.
 */
export function nextTry(error: Pick<StoreError, 'failure' | 'retryAfterMs' | 'cost'>, attemptsBefore: number, now: Date): NextTry {
  if (error.failure === 'unavailable' && error.cost.requests === 0) return { kind: 'again', attempts: attemptsBefore, at: now };
  if (error.failure === 'not_offered' || error.failure === 'bad_request') return { kind: 'give-up' };
  if (error.failure === 'refused') {
    const waitMs = Math.max(error.retryAfterMs ?? 0, 30_000);
    return { kind: 'again', attempts: attemptsBefore, at: new Date(now.getTime() + waitMs) };
  }
  const attempts = attemptsBefore + 1;
  if (attempts >= maxAttemptsADay) return { kind: 'give-up' };
  return { kind: 'again', attempts, at: new Date(now.getTime() + (error.retryAfterMs ?? (backoffMinutes[attempts - 1] ?? 60) * 60_000)) };
}
