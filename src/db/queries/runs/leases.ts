import { sql, type RawBuilder } from 'kysely';

/**
 * Store work and deliveries are leased for at most half as long. A lease that ends later is one of
 * a clock that was ahead, and counts as none.
 */
export const longestLeaseMs = 5 * 60_000;

/** The last instant at which a lease may end. */
export const lastLeaseEnd = (now: Date): Date => new Date(now.getTime() + longestLeaseMs);

/** True for work that is in the queue. */
export const isLeased = (now: Date): RawBuilder<unknown> =>
  sql`(queued_until > ${now} and queued_until <= ${lastLeaseEnd(now)})`;

/**
 * True for work that is neither in the queue nor waiting for a retry. No wait lasts longer than the
 * day of the failed attempt.
 */
export function isFree({ day, now }: { day: string; now: Date }): RawBuilder<unknown> {
  return sql`
    (queued_until is null or queued_until <= ${now} or queued_until > ${lastLeaseEnd(now)})
    and (retry_at is null or retry_at <= ${now} or attempts_on <> ${day})`;
}
