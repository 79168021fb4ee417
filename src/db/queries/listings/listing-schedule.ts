import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isFree } from '../runs/leases.ts';

export interface QueuedListings {
  country: string;
  listingIds: number[];
  urgent: boolean;
}

/** Leases listings of one country that are read together; iOS reads up to 200 with one request. */
export async function takeListings(
  db: Db,
  input: {
    store: StoreName;
    day: string;
    now: Date;
    until: Date;
    limit: number;
    urgentOnly: boolean;
  },
): Promise<QueuedListings[]> {
  // Two statements, so that the few urgent rows are planned with an index of their own.
  const [name, which, first] = input.urgentOnly
    ? [sql`/* take-urgent-listings */`, sql`urgent_at is not null`, sql`urgent_round, urgent_at`]
    : [sql`/* take-listings */`, sql`true`, sql`due_from`];
  const { rows } = await sql<Row<'take-listings', QueuedListings, 'listingIds' | 'urgent'>>`${name}
    with next as (
      select listing_id, country from listing_schedule
      where store = ${input.store} and active and due_from <= ${input.day}::date
        and ${isFree(input)}
        and ${which}
      order by ${first}, country, refreshed_on nulls first, listing_id
        limit ${input.limit} for update skip locked
    ), taken as (
      update listing_schedule s set queued_until = ${input.until} from next
      where s.listing_id = next.listing_id and s.country = next.country
      returning s.country, s.listing_id, s.urgent_at is not null as urgent
    )
    select country, array_agg(listing_id order by listing_id) as "listingIds",
      bool_or(urgent) as urgent from taken group by country`.execute(db);
  return rows;
}

/** The values that a listing's last reading lacked although they were there before, and its day. */
export interface LostFields {
  lostOn: string | null;
  lostFields: string[];
}

export interface ListingToRead extends LostFields {
  id: number;
  storeAppId: string;
  /** For the requested day. */
  attempts: number;
}

/**
 * Omits listings that have their outcome: when a lease expires while the job waits, its listings
 * are enqueued again in another group.
 */
export async function listListingsToRead(
  db: Db,
  input: { listingIds: number[]; country: string; day: string },
): Promise<ListingToRead[]> {
  const { rows } = await sql<Row<'listings-to-read', ListingToRead>>`/* listings-to-read */
    select l.id, l.store_app_id as "storeAppId",
      case when s.attempts_on = ${input.day} then s.attempts else 0 end as attempts,
      s.lost_on as "lostOn", s.lost_fields as "lostFields"
    from listing_schedule s join listings l on l.id = s.listing_id
    where s.listing_id = any(${input.listingIds}::int[]) and s.country = ${input.country}
      and (s.completed_on is null or s.completed_on < ${input.day}
        or s.urgent_at is not null)`.execute(db);
  return rows;
}

/** A reading replaces the lost values of the one before; a failed one leaves them. */
export async function completeListings(
  db: Db | Tx,
  input: {
    listingIds: number[];
    country: string;
    day: string;
    read: boolean;
    marker: string | null;
  } & Partial<LostFields>,
): Promise<void> {
  const { lostOn = null, lostFields = [] } = input;
  await sql`/* complete-listings */
    update listing_schedule set completed_on = greatest(completed_on, ${input.day}),
      queued_until = null, urgent_at = null, attempts = 0, retry_at = null,
      refreshed_on = case when ${input.read}::boolean
        then greatest(refreshed_on, ${input.day}::date) else refreshed_on end,
        last_marker = ${input.marker},
      lost_on = case when ${input.read}::boolean then ${lostOn}::date else lost_on end,
      lost_fields = case when ${input.read}::boolean then ${lostFields}::text[] else lost_fields end
    where listing_id = any(${input.listingIds}) and country = ${input.country}`.execute(db);
}

/** Returns listings to the schedule, with no attempt before `retryAt`. */
export async function rescheduleListings(
  db: Db,
  input: {
    listingIds: number[];
    country: string;
    day: string;
    attempts: number;
    retryAt: Date;
    marker: string;
  },
): Promise<void> {
  await sql`
    update listing_schedule set queued_until = null, attempts = ${input.attempts},
      attempts_on = ${input.day},
      retry_at = ${input.retryAt}, last_marker = ${input.marker}
    where listing_id = any(${input.listingIds}) and country = ${input.country}
      and (completed_on is null or completed_on < ${input.day})`.execute(db);
}
