import { sql, type RawBuilder } from 'kysely';
import { appSpans, competitorSpans, storefrontsOfApp } from '../followed-spans/followed-spans.ts';

/** Selects the followed listings: those of one app, archived or not, or those of all live apps. */
export interface FollowedFilter {
  appId?: number | undefined;
  scope?: 'own' | 'competitors' | undefined;
  /** Includes archived apps. */
  withArchived?: boolean;
  /** Returns a row for each app and competitor as which a listing is followed. */
  withAllFollowers?: boolean;
}

/**
 * The listings that a workspace follows, with their countries and the spans in which it does: its
 * apps in their own country and in those of their keywords, and the competitors of these apps
 * there. Readings from outside of the spans were requested by others. One row for each listing and
 * country; an own app takes precedence over a competitor.
 * Columns: app_id, competitor_id, listing_id, country, spans.
 */
export function followedListings(workspaceId: number, filter: FollowedFilter): RawBuilder<unknown> {
  const { appId = null, scope = null, withArchived = false, withAllFollowers = false } = filter;
  return sql`(
    with own as (
      select a.id as app_id, a.listing_id, f.country, range_agg(f.spans) * ${appSpans} as spans
      from apps a cross join lateral (${storefrontsOfApp(workspaceId)}) f
      where a.workspace_id = ${workspaceId} and (${appId}::int is null or a.id = ${appId})
        and (${appId}::int is not null or ${withArchived}::boolean or a.archived_at is null)
      group by a.id, a.listing_id, f.country
    ), followed as (
      select app_id, null::int as competitor_id, listing_id, country, spans from own
      union all
      select o.app_id, c.id, c.listing_id, o.country, o.spans * ${competitorSpans}
      from own o join competitors c on c.workspace_id = ${workspaceId} and c.app_id = o.app_id
        and c.archived_at is null
    )
    select ${withAllFollowers ? sql`` : sql`distinct on (listing_id, country)`} app_id,
      competitor_id, listing_id, country,
      range_agg(spans) over (partition by listing_id, country) as spans
    from followed
    where not isempty(spans)
      and (${scope}::text is null or (${scope}::text = 'own') = (competitor_id is null))
    order by listing_id, country, competitor_id nulls first, app_id
  )`;
}
