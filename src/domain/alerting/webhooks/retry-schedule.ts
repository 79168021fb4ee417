import { createHash } from 'node:crypto';
import type { WebhookReply } from '#domain/base/ports.ts';

const seconds = 1_000;
const hours = 3_600 * seconds;
const spread = 0.2;
const retryAfterMaxMs = hours;

/**
 * The time of the next attempt after the `tries`th failed; null when none is left. It is never
 * earlier than a receiver's Retry-After asks, up to an hour.
 */
export function planRetry(input: {
  /** The delay after each failed attempt. */
  delaysMs: readonly number[];
  tries: number;
  messageId: string;
  now: Date;
  retryAfterMs: number | null;
}): Date | null {
  const waitMs = input.delaysMs[input.tries - 1];
  if (waitMs === undefined) return null;
  const ownMs = waitMs * (1 + spread * jitterOf(`${input.messageId} ${input.tries}`));
  const delayMs =
    input.retryAfterMs === null
      ? ownMs
      : Math.max(ownMs, Math.min(retryAfterMaxMs, input.retryAfterMs));
  return new Date(input.now.getTime() + Math.round(delayMs));
}

/** From -1 to 1, deterministic for a text, so that the jitter can be repeated. */
function jitterOf(text: string): number {
  return (createHash('sha256').update(text).digest().readUInt32BE() / 0xffff_ffff) * 2 - 1;
}

/** The Retry-After of a busy receiver, in seconds or as a date; null without one. */
export function readRetryAfter(
  reply: Pick<WebhookReply, 'status' | 'headers'>,
  now: Date,
): number | null {
  const text = reply.headers['retry-after']?.trim() ?? '';
  if ((reply.status !== 429 && reply.status !== 503) || text === '') return null;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * seconds : Date.parse(text) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

const failuresMin = 20;
const failingMs = 5 * 24 * hours;

/** Failures for five days, and enough of them. */
export function isPermanentlyFailing(failures: number, failingSince: Date, now: Date): boolean {
  return failures >= failuresMin && now.getTime() - failingSince.getTime() >= failingMs;
}
