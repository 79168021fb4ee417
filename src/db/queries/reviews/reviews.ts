import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** A storefront of an app as its workspace follows it. */
export interface FollowedFeedRow {
  country: string;
  /** Midnight of the day on which the workspace began to follow it. */
  since: Date;
  /** The instant of that day; no reading is shown with an earlier one. */
  began: Date;
  /** The instant of the last reading; null when there was none since then. */
  syncedAt: Date | null;
  knownFrom: Date | null;
  exceededAt: Date | null;
  /**
   * Reviews from before `since` are shown down to this instant, because a first reading would not
   * have found older ones. Null: all of them.
   */
  shownFrom: Date | null;
}

/**
 * The app's own country and those of its keywords. Readings from before this workspace followed the
 * country are not shown. `window` is the number of reviews that a first reading finds.
 */
export async function listFollowedFeeds(
  tx: Tx,
  workspaceId: number,
  input: { appId: number; window: number },
): Promise<FollowedFeedRow[]> {
  const { rows } = await sql<
    Row<'followed-review-feeds', FollowedFeedRow, 'since' | 'began'>
  >`/* followed-review-feeds */
    with followed as (
      select a.listing_id, f.country, min(f.since)::timestamp at time zone 'UTC' as since,
        min(case when (f.created_at at time zone 'UTC')::date = f.since then f.created_at
          else f.since::timestamp at time zone 'UTC' end) as began
      from apps a cross join lateral (
        select a.primary_country as country, (a.created_at at time zone 'UTC')::date as since,
          a.created_at
        union all
        select k.country, (k.tracking_periods->0->>0)::date, k.created_at from keywords k
        where k.workspace_id = ${workspaceId} and k.app_id = a.id and k.archived_at is null
      ) f
      where a.workspace_id = ${workspaceId} and a.id = ${input.appId}
      group by a.listing_id, f.country
    )
    select f.country, f.since, f.began,
      case when c.synced_at is not null then greatest(c.synced_at, f.began) end as "syncedAt",
      c.known_from as "knownFrom",
      case when c.exceeded_at >= f.since then greatest(c.exceeded_at, f.began) end as "exceededAt",
        oldest.dated_at as "shownFrom"
    from followed f
    left join review_coverage c on c.listing_id = f.listing_id and c.country = f.country
      and c.synced_at >= f.since
    left join lateral (
      select r.dated_at from reviews r
      where r.listing_id = f.listing_id and r.country = f.country and r.first_seen_at < f.since
      order by r.dated_at desc, r.id desc offset ${input.window - 1} limit 1
    ) oldest on c.listing_id is not null
    order by f.country`.execute(tx);
  return rows;
}

/** Reviews of these storefronts that may be shown. */
export interface ReviewFilter {
  listingId: number;
  feeds: FollowedFeedRow[];
  id?: number | undefined;
  storeReviewId?: string | undefined;
  /** Dated at or after this instant. */
  from?: Date | undefined;
  /** Dated before this instant. */
  until?: Date | undefined;
  ratings?: number[] | undefined;
  version?: string | undefined;
  language?: string | undefined;
  /** Part of the title or text, composed (NFC) like the stored texts, in lower case. */
  text?: string | undefined;
  hasReply?: boolean | undefined;
  tag?: string | undefined;
  unread?: boolean | undefined;
}

export interface ReviewRow {
  id: number;
  storeReviewId: string;
  author: string | null;
  rating: number;
  title: string | null;
  body: string;
  version: string | null;
  country: string;
  language: string | null;
  reviewedAt: Date | null;
  firstSeenAt: Date | null;
  editedAt: Date | null;
  reply: string | null;
  replyAt: Date | null;
  datedAt: Date;
  tags: string[] | null;
  note: string | null;
  readAt: Date | null;
}

export interface ReviewCursor {
  rating: number;
  datedAt: Date;
  id: number;
}

const columns = sql`
  r.id::float8 as id, r.store_review_id as "storeReviewId", r.author, r.rating, r.title, r.body,
  r.version,
  r.country, r.language, r.reviewed_at as "reviewedAt",
  case when r.first_seen_at >= f.since and r.dated_at >= f.since
    then greatest(r.first_seen_at, f.began) end as "firstSeenAt",
  case when r.edited_at >= f.since then greatest(r.edited_at, f.began) end as "editedAt", r.reply,
  r.reply_at as "replyAt", r.dated_at as "datedAt", m.tags, m.note, m.read_at as "readAt"`;

/** A page, newest first, or lowest rating first and then newest. */
export async function listReviews(
  tx: Tx,
  workspaceId: number,
  filter: ReviewFilter,
  page: { sort: 'newest' | 'lowest'; after: ReviewCursor | null; limit: number },
): Promise<ReviewRow[]> {
  const isLowest = page.sort === 'lowest';
  const { rows } = await sql<Row<'list-reviews', ReviewRow>>`
    select ${columns} from ${shownReviews(workspaceId, filter)}
      where ${matchesFilter(filter)} and ${comesAfter(page)}
    order by ${isLowest ? sql`r.rating, ` : sql``}r.dated_at desc, r.id desc
    limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countReviews(
  tx: Tx,
  workspaceId: number,
  filter: ReviewFilter,
): Promise<number> {
  const { rows } = await sql<Row<'count-reviews'>>`
    select count(*)::int as count from ${shownReviews(workspaceId, filter)}
      where ${matchesFilter(filter)}`.execute(tx);
  return rows[0]!.count;
}

export interface StarCountRow {
  key: string | null;
  s1: number;
  s2: number;
  s3: number;
  s4: number;
  s5: number;
}

/**
 * Counts by star: by day oldest first, by country in order, by version with the newest first. Every
 * day of the filter's span, and at most 500 of the others.
 */
export async function countStars(
  tx: Tx,
  workspaceId: number,
  filter: ReviewFilter,
  by: 'day' | 'version' | 'country',
): Promise<StarCountRow[]> {
  const key = {
    day: sql`(r.dated_at at time zone 'UTC')::date::text`,
    version: sql`r.version`,
    country: sql`r.country`,
  }[by];
  const order = by === 'version' ? sql`max(r.dated_at) desc, 1` : sql`1`;
  const starred = [1, 2, 3, 4, 5].map(
    (star) =>
      sql`count(*) filter (where r.rating = ${sql.lit(star)})::int as ${sql.ref(`s${star}`)}`,
  );
  const { rows } = await sql<Row<'count-stars', StarCountRow>>`
    select ${key} as key, ${sql.join(starred)} from ${shownReviews(workspaceId, filter)}
      where ${matchesFilter(filter)}
    group by 1 order by ${order} limit ${by === 'day' ? null : 500}`.execute(tx);
  return rows;
}

/**
 * All reviews of the feeds that may be shown: those that arrived since they are followed, and those
 * that a first reading would have found.
 */
export function shownReviews(
  workspaceId: number,
  { listingId, feeds }: Pick<ReviewFilter, 'listingId' | 'feeds'>,
): RawBuilder<unknown> {
  return sql`unnest(
      ${feeds.map((feed) => feed.country)}::text[],
        ${feeds.map((feed) => feed.since)}::timestamptz[],
        ${feeds.map((feed) => feed.began)}::timestamptz[],
      ${feeds.map((feed) => feed.syncedAt !== null)}::boolean[],
        ${feeds.map((feed) => feed.shownFrom)}::timestamptz[]
    ) as f(country, since, began, was_read, shown_from)
    join reviews r on r.listing_id = ${listingId} and r.country = f.country
      and (r.first_seen_at >= f.since or (f.was_read
        and (f.shown_from is null or r.dated_at >= f.shown_from)))
    left join review_marks m on m.workspace_id = ${workspaceId} and m.country = r.country
      and m.store_review_id = r.store_review_id
      and m.app_id = (select id from apps where workspace_id = ${workspaceId}
        and listing_id = ${listingId})`;
}

function matchesFilter(filter: ReviewFilter): RawBuilder<unknown> {
  const {
    id,
    storeReviewId,
    from,
    until,
    ratings,
    version,
    language,
    text,
    hasReply,
    tag,
    unread,
  } = filter;
  const conditions = [sql`true`];
  if (id !== undefined) conditions.push(sql`r.id = ${id}`);
  if (storeReviewId !== undefined) conditions.push(sql`r.store_review_id = ${storeReviewId}`);
  if (from !== undefined) conditions.push(sql`r.dated_at >= ${from}`);
  if (until !== undefined) conditions.push(sql`r.dated_at < ${until}`);
  if (ratings !== undefined) conditions.push(sql`r.rating = any(${ratings}::smallint[])`);
  if (version !== undefined) conditions.push(sql`r.version = ${version}`);
  if (language !== undefined) conditions.push(sql`r.language = ${language}`);
  if (text !== undefined)
    conditions.push(sql`position(${text} in lower(concat_ws(E'\n', r.title, r.body))) > 0`);
  if (hasReply !== undefined)
    conditions.push(hasReply ? sql`r.reply is not null` : sql`r.reply is null`);
  if (tag !== undefined) conditions.push(sql`${tag} = any(m.tags)`);
  if (unread !== undefined)
    conditions.push(unread ? sql`m.read_at is null` : sql`m.read_at is not null`);
  return sql.join(conditions, sql` and `);
}

function comesAfter({
  sort,
  after,
}: {
  sort: 'newest' | 'lowest';
  after: ReviewCursor | null;
}): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const isOlder = sql`(r.dated_at, r.id) < (${after.datedAt}::timestamptz, ${after.id}::bigint)`;
  return sort === 'newest'
    ? isOlder
    : sql`(r.rating > ${after.rating} or (r.rating = ${after.rating} and ${isOlder}))`;
}
