import { createHash } from 'node:crypto';
import type { WebhookReply } from '../ports.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The wait before each attempt, after the one before it failed: ten attempts in 75 hours and 35 minutes. */
export const waitsMs = [
  0,
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
] as const;
const spread = 0.2;

/** When to try again after the `tries`th attempt failed; null when all are used up. What the receiver asks for counts up to twice the wait. */
export function planRetry(input: {
  tries: number;
  messageId: string;
  now: Date;
  retryAfterMs: number | null;
}): Date | null {
  const waitMs = waitsMs[input.tries];
  if (waitMs === undefined) return null;
  const ownMs = waitMs * (1 + spread * fractionOf(`${input.messageId} ${input.tries}`));
  const delayMs =
    input.retryAfterMs === null ? ownMs : Math.min(2 * waitMs, Math.max(ownMs, input.retryAfterMs));
  return new Date(input.now.getTime() + Math.round(delayMs));
}

/** From -1 to 1, always the same for the same text: spreads messages without chance. */
function fractionOf(text: string): number {
  return (createHash('sha256').update(text).digest().readUInt32BE() / 0xffff_ffff) * 2 - 1;
}

/** What a busy receiver asks for, in seconds or as a date; null where it asks for nothing or is not busy. */
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

/** Five days of failures only, and enough of them to know. */
export function isGivenUp(failures: number, failingSince: Date, now: Date): boolean {
  return failures >= failuresMin && now.getTime() - failingSince.getTime() >= failingMs;
}
