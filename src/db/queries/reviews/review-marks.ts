import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { shownUntilOf, type FollowedFeed } from './followed-feeds.ts';
import { sharedMarks, shownReviews, type ReviewFilter } from './reviews.ts';

export interface ReviewedApp {
  id: number;
  listingId: number;
  store: StoreName;
  country: string;
}

/** The workspace's app of a review, and the country of the review; undefined when there is none. */
export async function findReviewedApp(
  tx: Tx,
  workspaceId: number,
  reviewId: number,
): Promise<ReviewedApp | undefined> {
  const { rows } = await sql<Row<'find-reviewed-app', ReviewedApp, 'store'>>`/* find-reviewed-app */
    select a.id, a.listing_id as "listingId", l.store, r.country
    from reviews r join apps a on a.listing_id = r.listing_id and a.workspace_id = ${workspaceId}
      join listings l on l.id = a.listing_id
    where r.id = ${reviewId}`.execute(tx);
  return rows[0];
}

export interface ReviewVersionRow {
  rating: number;
  title: string | null;
  body: string;
  version: string | null;
  reviewedAt: Date | null;
  /** Null for one from before the feed was followed. */
  firstSeenAt: Date | null;
  replacedAt: Date;
}

/**
 * Earlier versions of a review that were current while its feed was followed: the newest 100,
 * oldest first. Of a feed that is not followed any more, the one that it shows is not among them.
 */
export async function listReviewVersions(
  tx: Tx,
  reviewId: number,
  feed: FollowedFeed,
): Promise<ReviewVersionRow[]> {
  const since = feed.spans.map((span) => span.since);
  const until = feed.spans.map((span) => span.until);
  const { rows } = await sql<
    Row<'review-versions', ReviewVersionRow, 'replacedAt'>
  >`/* review-versions */
    select v.rating, v.title, v.body, v.version, v.reviewed_at as "reviewedAt",
      case when v.seen_at >= f.since and coalesce(v.reviewed_at, v.seen_at) >= f.since
        then next_followed(${feed.range}::text::tstzmultirange, v.seen_at) end as "firstSeenAt",
      next_followed(${feed.range}::text::tstzmultirange, v.replaced_at) as "replacedAt"
    from review_versions v join reviews r on r.id = v.review_id
    cross join lateral (
      select min(s.since) as since from unnest(${since}::timestamptz[], ${until}::timestamptz[])
        as s(since, until) where s.until is null or s.until > r.first_seen_at
    ) f
    where v.review_id = ${reviewId} and v.replaced_at >= f.since
      and (${shownUntilOf(feed)}::timestamptz is null or v.replaced_at < ${shownUntilOf(feed)})
      and exists (
        select from unnest(${since}::timestamptz[], ${until}::timestamptz[]) as s(since, until)
        where v.replaced_at >= s.since and (s.until is null or v.seen_at < s.until))
    order by v.id desc limit 100`.execute(tx);
  return rows.toReversed();
}

export interface ReviewMarkUpdate {
  tags?: string[] | undefined;
  note?: string | null | undefined;
  read?: boolean | undefined;
}

/**
 * The country under which a review's marks are stored; null without marks. Several countries of a
 * store may have the review.
 */
export async function findMarkedCountry(
  tx: Tx,
  workspaceId: number,
  { appId, storeReviewId }: { appId: number; storeReviewId: string },
): Promise<string | null> {
  const { rows } = await sql<Row<'find-marked-country'>>`
    select min(country) as country from review_marks
    where workspace_id = ${workspaceId} and app_id = ${appId}
      and store_review_id = ${storeReviewId}`.execute(tx);
  return rows[0]!.country;
}

/** Locks the marks of a review until the transaction ends; the first mark adds its row. */
export async function lockReviewMark(
  tx: Tx,
  workspaceId: number,
  { appId, country, storeReviewId }: { appId: number; country: string; storeReviewId: string },
): Promise<void> {
  await sql`
    insert into review_marks as m (workspace_id, app_id, country, store_review_id)
    values (${workspaceId}, ${appId}, ${country}, ${storeReviewId})
    on conflict (app_id, country, store_review_id) do update set note = m.note`.execute(tx);
}

/**
 * Sets the given fields and leaves the rest. A review that is marked as read twice keeps the first
 * time.
 */
export async function upsertReviewMark(
  tx: Tx,
  workspaceId: number,
  target: { appId: number; country: string; storeReviewId: string; now: Date },
  { tags, note, read }: ReviewMarkUpdate,
): Promise<void> {
  await sql`
    insert into review_marks as m (workspace_id, app_id, country, store_review_id, tags, note,
      read_at)
    values (${workspaceId}, ${target.appId}, ${target.country}, ${target.storeReviewId},
      ${tags ?? []}::text[], ${note ?? null}, ${read === true ? target.now : null})
    on conflict (app_id, country, store_review_id) do update set
      tags = case when ${tags !== undefined}::boolean then excluded.tags else m.tags end,
      note = case when ${note !== undefined}::boolean then excluded.note else m.note end,
      read_at = case when ${read === undefined}::boolean then m.read_at
        when ${read === true}::boolean then coalesce(m.read_at, excluded.read_at) end`.execute(tx);
}

export interface KnownReview {
  tags: string[] | null;
  note: string | null;
  readAt: Date | null;
  /** This instance has read the review itself and shows it. */
  isShown: boolean;
}

/** Lists the marks of some reviews of an app, in their order. */
export async function listReviewMarks(
  tx: Tx,
  workspaceId: number,
  app: Pick<ReviewFilter, 'listingId' | 'feeds'> & { appId: number },
  reviews: readonly { country: string; storeReviewId: string }[],
): Promise<KnownReview[]> {
  const isShared = app.feeds[0]?.isShared;
  const { rows } = await sql<Row<'list-review-marks', KnownReview>>`
    select mark.tags, mark.note, mark.read_at as "readAt", shown.id is not null as "isShown"
    from unnest(${reviews.map(({ country }) => country)}::text[],
      ${reviews.map(({ storeReviewId }) => storeReviewId)}::text[]) with ordinality
      as n(country, store_review_id, at)
    left join ${isShared ? sharedMarks(workspaceId) : sql`review_marks`} mark
      on mark.workspace_id = ${workspaceId} and mark.app_id = ${app.appId}
      and ${isShared ? sql`true` : sql`mark.country = n.country`}
      and mark.store_review_id = n.store_review_id
    left join (
      select ${isShared ? sql`distinct on (r.store_review_id)` : sql``} r.id, r.country,
        r.store_review_id from ${shownReviews(workspaceId, app)}
    ) as shown on ${isShared ? sql`true` : sql`shown.country = n.country`}
      and shown.store_review_id = n.store_review_id
    order by n.at`.execute(tx);
  return rows;
}
