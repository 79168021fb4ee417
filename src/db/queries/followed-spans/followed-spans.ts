import { sql, type RawBuilder } from 'kysely';

/** The spans in which an app `a` was not archived. */
export const appSpans = sql`app_spans(a.created_at, a.archived_at, a.archived_spans)`;

/** The spans in which a competitor `c` was not archived, whatever its app was. */
export const competitorSpans = sql`app_spans(c.followed_at, c.archived_at, c.archived_spans)`;

/**
 * The spans in which an app `a` is followed in a country: while it is not archived, in its own
 * country always and in others while one of its keywords is tracked.
 */
export const countrySpans = (country: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select case when a.primary_country = ${country} then ${appSpans} else ${appSpans} * (
    select coalesce(range_agg(tracked_spans(k.tracking_periods, k.created_at)), '{}')
    from keywords k where k.workspace_id = a.workspace_id and k.app_id = a.id
      and k.country = ${country} and k.archived_at is null
  ) end)`;

/** The end of the span that contains an instant. Null when none does. */
export const endOfSpan = (
  spans: RawBuilder<unknown>,
  instant: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`(select upper(span) from unnest(${spans}) as span where span @> ${instant})`;

/**
 * Joins `d`, the day of the newest reading of a listing in a country that a workspace may see. Days
 * from after the last span are not searched.
 */
export const newestOwnDay = (
  listingId: RawBuilder<unknown>,
  country: RawBuilder<unknown>,
  spans: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  left join lateral (
    select d.on_date, d.rating, d.rating_count, d.installs,
      own_reading(${spans}, d.on_date, d.read_at) as read_at
    from listing_days d where d.listing_id = ${listingId} and d.country = ${country}
      and d.on_date <= (upper(${spans}) at time zone 'UTC')::date
      and own_reading(${spans}, d.on_date, d.read_at) is not null
      order by d.on_date desc limit 1
  ) d on true`;

/**
 * Texts from this instant on were read for others: the end of the span of `newestOwnDay`. Without
 * such a day, the texts that were known before are shown until there is one.
 */
export const endOfOwnTexts = (spans: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(${endOfSpan(spans, sql`d.read_at`)}, upper(${spans}))`;

/**
 * An app `a` in its own country and in those of its keywords, removed ones included, with a row for
 * each keyword.
 */
export const everyStorefrontOfApp = (workspaceId: number): RawBuilder<unknown> => sql`
  select a.primary_country as country, '{(,)}'::tstzmultirange as spans
  union all
  select k.country, tracked_spans(k.tracking_periods, k.created_at) from keywords k
  where k.workspace_id = ${workspaceId} and k.app_id = a.id`;

/** `everyStorefrontOfApp` without removed keywords. */
export const storefrontsOfApp = (workspaceId: number): RawBuilder<unknown> => sql`
  ${everyStorefrontOfApp(workspaceId)} and k.archived_at is null`;

export const spanOfDay = (day: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  tstzrange(${day}::timestamp at time zone 'UTC', (${day} + 1)::timestamp at time zone 'UTC')`;

/**
 * A change `c` lies between two readings. A workspace that follows the listing in these spans may
 * see it if both lie in one of them.
 */
export const isVisibleChange = (spans = sql`f.spans`): RawBuilder<unknown> => sql`
  ${spans} @> tstzrange(least(c.previous_at, c.detected_at), c.detected_at, '[]')`;
