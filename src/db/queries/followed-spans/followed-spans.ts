import { sql, type RawBuilder } from 'kysely';

/** The spans in which an app `a` was not archived. */
export const appSpans = sql`app_spans(a.created_at, a.archived_at, a.archived_spans)`;

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
