import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

// Each deletes at most a thousand rows that are due, found by an index, and returns how many, so
// that a transaction is short and costs the same in an instance of any size. Rows that somebody is
// changing are skipped: they may not be due any more.

const rowsAtOnce = 1_000;
/** Each may have imported positions of ten years. */
const keywordsAtOnce = 25;

/**
 * Deletes keywords archived more than 30 days ago. The history of the market is shared and stays.
 */
export async function purgeKeywords(tx: Tx, now: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-keywords */
    delete from keywords where id in (select id from keywords where purge_at <= ${now}
      order by purge_at limit ${keywordsAtOnce} for update skip locked)`.execute(tx),
  );
}

/** Events from before `before`, except those of stored deliveries. Their numbers stay used. */
export async function purgeEvents(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-events */
    delete from events where id in (select e.id from events e where e.occurred_at < ${before}
      and not exists (select from deliveries d where d.event_id = e.id)
      order by e.occurred_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

/** Jobs that ended before `before`, except those of imports, whose reports refer to them. */
export async function purgeJobs(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-jobs */
    delete from jobs where id in (select j.id from jobs j where j.finished_at < ${before}
      and j.state not in ('queued', 'running') and j.awaited_until is null
      and not exists (select from imports i where i.job_id = j.id)
      order by j.finished_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

export async function purgeDeadLetters(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-dead-letters */
    delete from dead_letters where id in (select id from dead_letters
      where dead_lettered_at < ${before}
      order by dead_lettered_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

/** Responses kept for a repeated POST. */
export async function purgeIdempotency(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-idempotency */
    delete from idempotency where (workspace_id, key) in (select workspace_id, key from idempotency
      where created_at < ${before}
      order by created_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

/** Sessions that ended. */
export async function purgeSessions(tx: Tx, now: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-sessions */
    delete from sessions where id in (select id from sessions where expires_at < ${now}
      order by expires_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

export async function purgeAccountLinks(tx: Tx, now: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-account-links */
    delete from account_links where secret_hash in (select secret_hash from account_links
      where expires_at < ${now}
      order by expires_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

/** Invitations that were accepted or expired before `before`. */
export async function purgeInvites(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-invites */
    delete from invites where id in (select id from invites
      where coalesce(accepted_at, expires_at) < ${before}
      order by coalesce(accepted_at, expires_at)
      limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

export async function purgeInviteMails(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-invite-mails */
    delete from invite_mails where ctid = any(array(select ctid from invite_mails
      where sent_at < ${before}
      order by sent_at limit ${rowsAtOnce} for update skip locked))`.execute(tx),
  );
}

/** Events of the payment provider, by which one that it sends again is recognized. */
export async function purgePaymentEvents(tx: Tx, before: Date): Promise<number> {
  return countDeleted(
    await sql`/* purge-payment-events */
    delete from payment_events where id in (select id from payment_events
      where received_at < ${before}
      order by received_at limit ${rowsAtOnce} for update skip locked)`.execute(tx),
  );
}

/**
 * Ratings that a storefront replaced by others until `before`: no result that is stored has them.
 * Returns how many rows have none before them any more.
 */
export async function purgeListingRatings(tx: Tx, before: string): Promise<number> {
  return countDeleted(
    await sql`/* purge-listing-ratings */
    with due as (
      select listing_id, country, read_on from listing_ratings
      where not is_first and read_on <= ${before}::date
      order by read_on limit ${rowsAtOnce} for update skip locked
    ), newest as (
      select listing_id, country, max(read_on) as read_on from due group by listing_id, country
    ), deleted as (
      delete from listing_ratings r using newest n
      where r.listing_id = n.listing_id and r.country = n.country and r.read_on < n.read_on
    )
    update listing_ratings r set is_first = true from newest n
    where r.listing_id = n.listing_id and r.country = n.country and r.read_on = n.read_on`.execute(
      tx,
    ),
  );
}

function countDeleted({ numAffectedRows }: { numAffectedRows?: bigint }): number {
  return Number(numAffectedRows ?? 0);
}
