import type { Operation } from '#contract/operation.ts';

/**
 * The client may keep the response and ask whether it changed. Responses to sign-ins and about
 * tokens and webhooks may contain secrets, and live responses of a store are out of date at once.
 */
export function isCacheable(key: string, { raw, rateClass }: Operation): boolean {
  return key.startsWith('GET ') && !raw && rateClass === 'read' && !holdsSecrets(key);
}

export function holdsSecrets(key: string): boolean {
  return /^\w+ \/(auth|tokens|webhooks)(\/|$)/.test(key);
}
