import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { spanOfDay } from '../followed-spans/followed-spans.ts';
import { followedListings } from '../listings/followed-listings.ts';
import { nameIn } from '../listings/listing-names.ts';

/** The numbers of a listing in a country on a day. */
export interface ListingDayRow {
  date: string;
  competitorId: number | null;
  store: StoreName;
  storeAppId: string;
  name: string | null;
  country: string;
  rating: number | null;
  ratingCount: number | null;
  histogram: number[] | null;
  /** The listing's page was read, and shows these. */
  hasPage: boolean;
  pageRating: number | null;
  pageRatingCount: number | null;
  installs: bigint | null;
  priceMicros: number | null;
  /** Null: only the listing's page was read. */
  readAt: Date | null;
}

/**
 * The daily numbers of an app and its competitors while each is tracked, newest day first. On one
 * day the lookup's numbers come before those of the page.
 */
export async function listListingDays(
  tx: Tx,
  workspaceId: number,
  range: { appId: number; from: string; to: string },
): Promise<ListingDayRow[]> {
  const { appId, from, to } = range;
  const isInRange = sql`listing_id in (select listing_id from followed)
    and on_date between ${from}::date and ${to}::date`;
  const { rows } = await sql<
    Row<'list-listing-days', ListingDayRow, 'date' | 'store'>
  >`/* list-listing-days */
    with followed as materialized (select * from ${followedListings(workspaceId, { appId })} as f)
    select on_date as date, f.competitor_id as "competitorId", l.store,
      l.store_app_id as "storeAppId", ${nameIn(sql`f.country`)} as name, f.country,
      coalesce(d.rating, p.rating) as rating,
      coalesce(d.rating_count, p.rating_count) as "ratingCount", p.histogram,
      p.listing_id is not null as "hasPage", p.rating as "pageRating",
      p.rating_count as "pageRatingCount", d.installs,
      d.price_micros::float8 as "priceMicros", d.read_at as "readAt"
    from (select * from listing_days where ${isInRange}) d
    full join (select * from rating_days where ${isInRange}) p
      using (listing_id, country, on_date)
    join followed f using (listing_id, country)
    join listings l on l.id = listing_id
    where case when d.read_at is null then f.spans && ${spanOfDay(sql`on_date`)}
      else f.spans @> d.read_at end
    order by on_date desc, f.competitor_id nulls first, f.country`.execute(tx);
  return rows;
}
