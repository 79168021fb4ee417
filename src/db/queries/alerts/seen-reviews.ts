import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { followedListings } from '../listings/followed-listings.ts';

export interface SeenReviewRow {
  id: number;
  storeReviewId: string;
  appId: number;
  country: string;
  rating: number;
  title: string | null;
  body: string;
  author: string | null;
  version: string | null;
  /** The instant at which it was written or last edited. */
  datedAt: Date;
  /**
   * The instant from which this workspace could see the current version: the first one from its
   * reading on at which it followed the storefront.
   */
  seenAt: Date;
}

/** An app whose low reviews are read, with the limits of its rule. */
export interface WatchedApp {
  appId: number;
  maxRating: number;
  maxAgeDays: number;
  /** Reviews that the workspace first saw from here on. */
  from: Date;
}

/** A storefront of an app whose reviews since `from` may have no events yet. */
export interface UnnotifiedFeed {
  appId: number;
  country: string;
  from: Date;
}

const columns = sql`
  r.id::float8 as id, r.store_review_id as "storeReviewId", r.country, r.rating, r.title, r.body,
  r.author, r.version, r.dated_at as "datedAt"`;

export async function listAppTags(
  tx: Tx,
  workspaceId: number,
): Promise<{ appId: number; tags: string[] }[]> {
  const { rows } = await sql<Row<'list-app-tags'>>`/* list-app-tags */
    select id as "appId", tags from apps
    where workspace_id = ${workspaceId} and archived_at is null order by id`.execute(tx);
  return rows;
}

/**
 * Low reviews of the apps whose current version was first seen in a period, oldest first. Reviews
 * written long before are omitted, and so are reviews of the given unnotified feeds that have an
 * event already.
 */
export async function listSeenReviews(
  tx: Tx,
  workspaceId: number,
  filter: {
    apps: WatchedApp[];
    until: Date;
    unreported?: UnnotifiedFeed[] | undefined;
    limit: number;
  },
): Promise<SeenReviewRow[]> {
  const { apps, until, unreported } = filter;
  const { rows } = await sql<Row<'list-seen-reviews', SeenReviewRow, 'seenAt'>>`
    with followed as (select * from ${followedListings(workspaceId, { scope: 'own' })} as f)
    select ${columns}, f.app_id as "appId", s.seen_at as "seenAt"
    from ${seenReviews({ apps, until, since: sql`w.since` })}
      ${unreported === undefined ? sql`` : isUnnotified(workspaceId, unreported)}
    order by s.seen_at, r.id limit ${filter.limit}`.execute(tx);
  return rows;
}

/**
 * Those with one of the numbers among the low reviews of their app and UTC day. All reviews of a
 * day count, so that one has the same number whenever it is read. The first day of an app is that
 * of the first review in the period.
 */
export async function listNumberedReviews(
  tx: Tx,
  workspaceId: number,
  filter: { apps: WatchedApp[]; until: Date; numbers: readonly number[] },
): Promise<(SeenReviewRow & { number: number })[]> {
  const { apps, until, numbers } = filter;
  const since = sql`date_trunc('day', w.since, 'UTC')`;
  const { rows } = await sql<
    Row<'list-numbered-reviews', SeenReviewRow & { number: number }, 'seenAt'>
  >`
    with followed as (select * from ${followedListings(workspaceId, { scope: 'own' })} as f),
    numbered as (
      select r.id, f.app_id, s.seen_at, row_number() over (
          partition by f.app_id, (s.seen_at at time zone 'UTC')::date order by s.seen_at, r.id
        )::int as number,
        min(s.seen_at) filter (where s.seen_at >= w.since) over (partition by f.app_id) as first_at
      from ${seenReviews({ apps, until, since })}
    )
    select ${columns}, n.app_id as "appId", n.seen_at as "seenAt", n.number
    from numbered n join reviews r on r.id = n.id
    where n.number = any(${numbers}::int[])
      and n.seen_at >= date_trunc('day', n.first_at, 'UTC')
    order by n.seen_at, r.id`.execute(tx);
  return rows;
}

/**
 * Reads `followed`. A review that several countries have is that of the country in which the
 * workspace saw it first, and of another one only with a version that the first one does not get.
 */
const seenReviews = ({
  apps,
  until,
  since,
}: {
  apps: WatchedApp[];
  until: Date;
  since: RawBuilder<unknown>;
}): RawBuilder<unknown> => sql`
  followed f
  join unnest(${apps.map((app) => app.appId)}::int[], ${apps.map((app) => app.maxRating)}::int[],
    ${apps.map((app) => app.maxAgeDays)}::int[], ${apps.map((app) => app.from)}::timestamptz[])
    as w(app_id, max_rating, max_age_days, since) on w.app_id = f.app_id
  join reviews r on r.listing_id = f.listing_id and r.country = f.country
  cross join lateral (
    select next_followed(f.spans, greatest(r.first_seen_at, r.edited_at)) as seen_at
  ) s
  where r.rating <= w.max_rating
    and r.dated_at >= ${since} - make_interval(days => w.max_age_days)
    and s.seen_at >= ${since} and s.seen_at < ${until}
    and s.seen_at - r.dated_at <= make_interval(days => w.max_age_days)
    and ${isRead(sql`f`, sql`greatest(r.first_seen_at, r.edited_at)`)}
    and not exists (
      select from followed g join reviews c on c.listing_id = g.listing_id
        and c.country = g.country and c.store_review_id = r.store_review_id
      where g.listing_id = f.listing_id and g.country <> f.country
        and (g.spans @> s.seen_at or c.dated_at >= r.dated_at)
        and (next_followed(g.spans, c.first_seen_at), c.id)
          < (next_followed(f.spans, r.first_seen_at), r.id)
        and ${isRead(sql`g`, sql`c.first_seen_at`)}
    )`;

/**
 * The workspace had a reading of a followed feed that found what was there from an instant on. The
 * newest reading may be of others; that of the workspace was the last one evaluated.
 */
const isRead = (feed: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  ${feed}.spans @> ${at} or exists (
    select from review_coverage v
    left join evaluated_feeds e on e.app_id = ${feed}.app_id and e.country = v.country
    where v.listing_id = ${feed}.listing_id and v.country = ${feed}.country
      and next_followed(${feed}.spans, ${at}) <= greatest(
        case when ${feed}.spans @> v.synced_at then v.synced_at end, e.evaluated_until)
  ))`;

/** The event key of a review is built as in `src/domain/alerting/alerts/alert.ts`. */
const isUnnotified = (workspaceId: number, feeds: UnnotifiedFeed[]): RawBuilder<unknown> => sql`
  and exists (
    select from unnest(${feeds.map((feed) => feed.appId)}::int[],
      ${feeds.map((feed) => feed.country)}::text[],
      ${feeds.map((feed) => feed.from)}::timestamptz[]) as u(app_id, country, since)
    where u.app_id = f.app_id and u.country = f.country and s.seen_at >= u.since
  )
  and not exists (
    select from events e where e.workspace_id = ${workspaceId}
      and e.key = 'review.negative:' || f.app_id || ':' || r.country || ':' || r.store_review_id
  )`;
