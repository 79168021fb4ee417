import { pacingMarkers, type StoreError, type StoreRequestOptions } from './ports.ts';

/** When failed store work is retried within its day. After the last delay the day gets a gap. */
export interface StoreRetryPolicy {
  /** The delay after each failed attempt. */
  delaysMs: readonly number[];
  /** The delay after each attempt that the store refused (429, captcha); as many as `delaysMs`. */
  refusedDelaysMs: readonly number[];
  /** Waits at most this long for a cooldown to end; without it, for the whole cooldown. */
  maxCooldownMs?: number;
}

/** Passed by the registry of background work to all code that sends store requests. */
export interface StoreWorkOptions extends StoreRequestOptions {
  retry: StoreRetryPolicy;
}

/** A cooldown that is longer outlasts the next probe of a search provider. */
const longCooldownMs = 5 * 60_000;
/** The pacer lets an endpoint cool down no longer than this. */
const maxRetryAfterMs = 3_600_000;
const selfThrottledDelayMs = 30_000;

export type RetryDecision = { kind: 'again'; attempts: number; at: Date } | { kind: 'give-up' };
/** The part of a failure that decides. */
export type StoreFailureFacts = Pick<StoreError, 'failure' | 'marker' | 'retryAfterMs' | 'cost'>;

/**
 * Decides when to retry. Attempts that never reached the store are not counted. Those that our own
 * pacing interrupted wait longer each time, because their first pages are requested again, and are
 * not the reason to give up. A refusal may concern only this query, so it is counted. The pacer
 * handles the endpoint's cooldown, so another endpoint can be used in the meantime. A query that
 * the store cannot serve is not retried.
 */
export function planStoreRetry(
  policy: StoreRetryPolicy,
  error: StoreFailureFacts,
  attemptsBefore: number,
  now: Date,
): RetryDecision {
  const again = (attempts: number, delayMs: number): RetryDecision => ({
    kind: 'again',
    attempts,
    at: new Date(now.getTime() + delayMs),
  });
  const retryAfterMs =
    error.retryAfterMs === null ? null : Math.min(error.retryAfterMs, maxRetryAfterMs);
  if (error.failure === 'unavailable' && error.cost.requests === 0) return again(attemptsBefore, 0);
  if (error.failure === 'unavailable' && pacingMarkers.includes(error.marker)) {
    const attempts = Math.min(attemptsBefore + 1, policy.delaysMs.length);
    return again(attempts, policy.delaysMs[attempts - 1] ?? 0);
  }
  if (error.failure === 'not_offered' || error.failure === 'bad_request')
    return { kind: 'give-up' };
  if (isSelfThrottled(error)) {
    const cooldownMs = Math.min(retryAfterMs ?? 0, policy.maxCooldownMs ?? maxRetryAfterMs);
    return again(attemptsBefore, Math.max(cooldownMs, selfThrottledDelayMs));
  }
  const isRefused = error.failure === 'refused';
  const delayMs = (isRefused ? policy.refusedDelaysMs : policy.delaysMs)[attemptsBefore];
  if (delayMs === undefined) return { kind: 'give-up' };
  return again(attemptsBefore + 1, isRefused ? delayMs : (retryAfterMs ?? delayMs));
}

/**
 * True when a search speaks against its provider: a request failed, or none can be sent for long.
 */
export function isProviderFailure({
  failure,
  marker,
  cost,
  retryAfterMs,
}: StoreFailureFacts): boolean {
  if (marker === 'cooling') return (retryAfterMs ?? 0) > longCooldownMs;
  if (cost.requests === 0 || pacingMarkers.includes(marker)) return false;
  return failure !== 'not_offered' && failure !== 'bad_request';
}

/**
 * True when our own pacing prevented the attempt: every endpoint cools down, at the first page or
 * at a later one, or the store's probe fails.
 */
function isSelfThrottled({ failure, marker, cost }: StoreFailureFacts): boolean {
  return failure === 'refused' && (cost.requests === 0 || marker === 'cooling');
}
