import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { FollowedFeed } from './followed-feeds.ts';

export interface RatingDayRow {
  date: string;
  country: string;
  rating: number | null;
  ratingCount: number | null;
  histogram: number[] | null;
}

export interface RatingFilter {
  listingId: number;
  feeds: FollowedFeed[];
  from: string;
  to: string;
}

/**
 * The days on which a rating was read while the country was followed, newest first and then by
 * country. On one day the lookup's number comes before that of the page.
 */
export async function listRatingDays(
  tx: Tx,
  filter: RatingFilter,
  page: { after: { date: string; country: string } | null; limit: number },
): Promise<{ rows: RatingDayRow[]; total: number }> {
  const spans = filter.feeds.flatMap(({ country, spans: all }) =>
    all.map(({ since, until }) => ({ country, since, until })),
  );
  const after =
    page.after === null
      ? sql`true`
      : sql`
          (date < ${page.after.date}::date
            or (date = ${page.after.date}::date and country > ${page.after.country}))`;
  const days = sql`
    with days as (
      select on_date as date, country, coalesce(d.rating, p.rating) as rating,
        coalesce(d.rating_count, p.rating_count) as "ratingCount", p.histogram
      from (select * from listing_days where listing_id = ${filter.listingId}
        and on_date between ${filter.from}::date and ${filter.to}::date) d
      full join (select * from rating_days where listing_id = ${filter.listingId}
        and on_date between ${filter.from}::date and ${filter.to}::date) p
        using (country, on_date)
      join unnest(${spans.map(({ country }) => country)}::text[],
        ${spans.map(({ since }) => since)}::timestamptz[],
        ${spans.map(({ until }) => until)}::timestamptz[]) as f(country, since, until)
        using (country)
      cross join lateral (select on_date::timestamp at time zone 'UTC' as began) day
      where day.began >= f.since
        and (f.until is null or greatest(day.began, d.read_at) < f.until)
    )`;
  const { rows } = await sql<Row<'list-rating-days', RatingDayRow, 'date' | 'country'>>`
      ${days} select * from days where ${after}
      order by date desc, country limit ${page.limit}`.execute(tx);
  const counted = await sql<
    Row<'count-rating-days'>
  >`${days} select count(*)::int as total from days`.execute(tx);
  return { rows, total: counted.rows[0]!.total };
}

/**
 * Stores the star counts of a listing's page. The last reading of a day replaces earlier ones, but
 * facts that it lacks stay.
 */
export async function upsertRatingDay(
  tx: Tx,
  row: Omit<RatingDayRow, 'date'> & { listingId: number; onDate: string },
): Promise<void> {
  await sql`
    insert into rating_days as d (listing_id, country, on_date, rating, rating_count, histogram)
    values (${row.listingId}, ${row.country}, ${row.onDate}, ${row.rating}, ${row.ratingCount},
      ${row.histogram}::int[])
    on conflict (listing_id, country, on_date) do update
    set rating = coalesce(excluded.rating, d.rating),
      rating_count = coalesce(excluded.rating_count, d.rating_count),
      histogram = coalesce(excluded.histogram, d.histogram)`.execute(tx);
}

/** The facts of a listing's page that any of its days since one had, and the subtitle. */
export async function listKnownPageFields(
  db: Db,
  page: { listingId: number; country: string; since: string },
): Promise<string[]> {
  const { listingId, country, since } = page;
  const { rows } = await sql<
    Row<'known-page-fields', { fields: string[] }, 'fields'>
  >`/* known-page-fields */
    with days as (select * from rating_days where listing_id = ${listingId}
      and country = ${country} and on_date >= ${since}::date)
    select array_remove(array[
      (select 'subtitle' from (select fields->>'subtitle' as subtitle from snapshots
        where listing_id = ${listingId} and country = ${country} order by id desc limit 1) s
        where s.subtitle is not null),
      (select 'rating' where exists (select from days where rating is not null)),
      (select 'ratingCount' where exists (select from days where rating_count > 0)),
      (select 'histogram' where exists (select from days where histogram is not null))
    ], null) as fields`.execute(db);
  return rows[0]!.fields;
}
