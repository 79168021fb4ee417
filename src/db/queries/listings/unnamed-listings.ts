import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { lastLeaseEnd } from '../runs/leases.ts';

/** Listings whose names are looked up together, by country and device. */
export interface UnnamedListings {
  country: string;
  device: string;
  listingIds: number[];
}

/** Those of the apps whose names in the country are not known, with the day of the last request. */
export async function listUnnamed(
  db: Db,
  asked: { store: StoreName; country: string; storeAppIds: readonly string[] },
): Promise<{ storeAppId: string; requestedOn: string | null }[]> {
  const { store, country, storeAppIds } = asked;
  const { rows } = await sql<
    Row<'unnamed-apps', { storeAppId: string; requestedOn: string | null }, 'storeAppId'>
  >`/* unnamed-apps */
    select asked.id as "storeAppId", n.read_on as "requestedOn"
    from unnest(${[...storeAppIds]}::text[]) as asked(id)
    left join listings l on l.store = ${store} and l.store_app_id = asked.id
    left join listing_names n on n.listing_id = l.id and n.country = ${country}
    where n.name is null
      and (l.name is null or l.named_in <> ${country})`.execute(db);
  return rows;
}

export async function insertUnnamed(
  db: Db,
  unnamed: {
    store: StoreName;
    country: string;
    device: string;
    listingIds: readonly number[];
    since: Date;
  },
): Promise<void> {
  const { store, country, device, listingIds, since } = unnamed;
  await sql`/* insert-unnamed-listings */
    insert into unnamed_listings (listing_id, store, country, device, since)
    select id, ${store}, ${country}, ${device}, ${since}
    from unnest(${[...listingIds]}::int[]) as asked(id) order by id
    on conflict (listing_id, country) do nothing`.execute(db);
}

/**
 * Leases the listings of countries and devices that fill a request or wait for longer than an
 * hour; all of them once no check of the store is in the queue or due.
 */
export async function takeUnnamed(
  db: Db,
  input: { store: StoreName; now: Date; until: Date; day: string; perRequest: number },
): Promise<UnnamedListings[]> {
  const { store, now, until, day, perRequest } = input;
  // Without an attempt it is a lease, and otherwise the wait for a retry.
  const isFree = sql`(queued_until is null or queued_until <= ${now}
    or (queued_until > ${lastLeaseEnd(now)} and attempts = 0))`;
  const { rows } = await sql<
    Row<'take-unnamed-listings', UnnamedListings, 'listingIds'>
  >`/* take-unnamed-listings */
    with waiting as (
      select listing_id, country, device, since from unnamed_listings
      where store = ${store} and ${isFree}
    ), due as (
      select country, device from waiting group by country, device
      having count(*) >= ${perRequest} or min(since) < ${now}::timestamptz - interval '1 hour'
        or not (exists (select from (select from market_schedule where store = ${store}
            and depth > 0 and due_from <= ${day}::date order by due_from limit 1) market)
          or exists (select from market_schedule where store = ${store}
            and urgent_at is not null))
    ), next as (
      select u.listing_id, u.country from unnamed_listings u join due using (country, device)
      where u.store = ${store} and ${isFree}
      order by u.listing_id, u.country for update of u skip locked
    ), taken as (
      update unnamed_listings u set queued_until = ${until} from next
      where u.listing_id = next.listing_id and u.country = next.country
      returning u.country, u.device, u.listing_id
    )
    select country, device, array_agg(listing_id order by listing_id) as "listingIds"
    from taken group by country, device`.execute(db);
  return rows;
}

export async function hasUnnamed(db: Db, store: StoreName): Promise<boolean> {
  const { rows } = await sql<Row<'has-unnamed-listings'>>`/* has-unnamed-listings */
    select exists (select from unnamed_listings where store = ${store}) as has`.execute(db);
  return rows[0]!.has;
}

export interface WaitingListing {
  id: number;
  storeAppId: string;
  attempts: number;
}

/** The apps among these listings that still wait for their names in the country. */
export async function listWaiting(
  db: Db,
  country: string,
  listingIds: readonly number[],
): Promise<WaitingListing[]> {
  const { rows } = await sql<Row<'waiting-names', WaitingListing>>`/* waiting-names */
    select l.id, l.store_app_id as "storeAppId", u.attempts
    from unnamed_listings u join listings l on l.id = u.listing_id
    where u.listing_id = any(${[...listingIds]}::int[]) and u.country = ${country}`.execute(db);
  return rows;
}

/** Ends the wait, and records on which day names were requested that the store does not have. */
export async function completeNaming(
  db: Db,
  input: {
    country: string;
    listingIds: readonly number[];
    missing: readonly number[];
    day: string;
  },
): Promise<void> {
  const { country, listingIds, missing, day } = input;
  await sql`/* complete-naming */
    with done as (
      delete from unnamed_listings
      where listing_id = any(${[...listingIds]}::int[]) and country = ${country}
    )
    insert into listing_names as n (listing_id, country, read_on)
    select id, ${country}, ${day}::date from unnest(${[...missing]}::int[]) as absent(id)
    order by id
    on conflict (listing_id, country) do update set read_on = excluded.read_on
      where n.name is null`.execute(db);
}

/** No attempt before `retryAt`, or before a lease would end while no attempt counts. */
export async function rescheduleNaming(
  db: Db,
  input: {
    country: string;
    listingIds: readonly number[];
    attempts: number;
    retryAt: Date;
    now: Date;
  },
): Promise<void> {
  const { country, listingIds, attempts, retryAt, now } = input;
  const latest = lastLeaseEnd(now);
  const until = attempts === 0 && retryAt > latest ? latest : retryAt;
  await sql`/* reschedule-naming */
    update unnamed_listings set queued_until = ${until}, attempts = ${attempts}
    where listing_id = any(${[...listingIds]}::int[]) and country = ${country}`.execute(db);
}
