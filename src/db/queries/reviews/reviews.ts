import { sql, type RawBuilder } from 'kysely';
import { containsText } from '#db/contains-text.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { shownUntilOf, type FollowedFeed } from './followed-feeds.ts';

/** Reviews of these storefronts that may be shown. */
export interface ReviewFilter {
  listingId: number;
  feeds: FollowedFeed[];
  id?: number | undefined;
  storeReviewId?: string | undefined;
  /** Dated at or after this instant. */
  from?: Date | undefined;
  /** Dated before this instant. */
  until?: Date | undefined;
  ratings?: number[] | undefined;
  version?: string | undefined;
  language?: string | undefined;
  /** Part of the title or text. */
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
  r.country, r.language, r.reviewed_at as "reviewedAt", r.seen_at as "firstSeenAt",
  r.edited_at as "editedAt", r.reply, r.reply_at as "replyAt", r.dated_at as "datedAt", r.tags,
  r.note, r.read_at as "readAt"`;

/** A page, newest first, or lowest rating first and then newest. */
export async function listReviews(
  tx: Tx,
  workspaceId: number,
  filter: ReviewFilter,
  page: { sort: 'newest' | 'lowest'; after: ReviewCursor | null; limit: number },
): Promise<ReviewRow[]> {
  const isLowest = page.sort === 'lowest';
  const { rows } = await sql<Row<'list-reviews', ReviewRow>>`
    select ${columns} from ${matchingReviews(workspaceId, filter)} where ${comesAfter(page)}
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
    select count(*)::int as count from ${matchingReviews(workspaceId, filter)}`.execute(tx);
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
    select ${key} as key, ${sql.join(starred)} from ${matchingReviews(workspaceId, filter)}
    group by 1 order by ${order} limit ${by === 'day' ? null : 500}`.execute(tx);
  return rows;
}

/**
 * Counts the reviews of a period that were written and found while one of their storefronts was
 * followed, with their current stars.
 */
export async function countNewReviews(
  tx: Tx,
  workspaceId: number,
  filter: ReviewFilter & { from: Date; until: Date },
  maxRating: number,
): Promise<{ newReviews: number; negativeReviews: number }> {
  const { rows } = await sql<Row<'count-new-reviews'>>`
    select count(*)::int as "newReviews",
      count(*) filter (where r.rating <= ${maxRating})::int as "negativeReviews"
    from ${matchingReviews(workspaceId, filter)}
    where r.store_review_id in (
      select r.store_review_id from ${shownReviews(workspaceId, filter)}
      where ${matchesFilter(filter)}
        and f.range @> tstzrange(r.dated_at, greatest(r.dated_at, r.first_seen_at), '[]')
    )`.execute(tx);
  return rows[0]!;
}

/**
 * The reviews of the feeds that match, as `r`. One that several of the feeds have counts once: in a
 * country that is still followed, and of these in the one where the workspace saw it first. It has
 * to match there, because the texts of other countries may be older.
 */
function matchingReviews(workspaceId: number, filter: ReviewFilter): RawBuilder<unknown> {
  const shown = shownReviews(workspaceId, filter);
  const matches = matchesFilter(filter);
  const facts = sql`r.id, r.store_review_id, r.author, r.rating, r.title, r.body, r.version,
    r.country, r.language, r.reviewed_at, r.reply, r.reply_at, r.dated_at, m.tags, m.note,
    m.read_at,
    case when r.first_seen_at >= f.since and r.dated_at >= f.since
      then next_followed(f.range, r.first_seen_at) end as seen_at,
    case when r.edited_at >= f.since then next_followed(f.range, r.edited_at) end as edited_at`;
  const isRepeated = filter.feeds.length > 1 && filter.feeds[0]!.isShared;
  if (!isRepeated) return sql`(select ${facts} from ${shown} where ${matches}) as r`;
  const id = sql`r.store_review_id collate "C"`;
  return sql`(
    with matching as materialized (
      select r.id, r.store_review_id from ${shown} where ${matches}
    )
    select * from (
      select distinct on (${id}) ${facts} from ${shown}
      where r.store_review_id in (select store_review_id from matching)
      order by ${id}, f.shown_until is not null, next_followed(f.range, r.first_seen_at), r.id
    ) as r where r.id in (select id from matching)
  ) as r`;
}

/**
 * All reviews of the feeds that may be shown, each as it was read last while the feed was followed:
 * those that arrived in a span, and those from before it that its first reading would have found.
 */
export function shownReviews(
  workspaceId: number,
  { listingId, feeds }: Pick<ReviewFilter, 'listingId' | 'feeds'>,
): RawBuilder<unknown> {
  const spans = feeds.flatMap((feed) =>
    feed.spans.map((span) => ({ ...span, ...feed, shownUntil: shownUntilOf(feed) })),
  );
  const column = <Value>(read: (span: (typeof spans)[number]) => Value) => sql`${spans.map(read)}`;
  return sql`unnest(
      ${column((span) => span.country)}::text[],
      ${column((span) => span.range)}::text[]::tstzmultirange[],
      ${column((span) => span.after)}::timestamptz[],
      ${column((span) => span.since)}::timestamptz[],
      ${column((span) => span.until)}::timestamptz[], ${column((span) => span.isRead)}::boolean[],
      ${column((span) => span.shownFrom)}::timestamptz[],
      ${column((span) => span.shownUntil)}::timestamptz[]
    ) as f(country, range, after, since, until, is_read, shown_from, shown_until)
    join lateral (
      select id, store_review_id, author, rating, title, body, version, country, language,
        reviewed_at, first_seen_at, edited_at, ${shownReply}, dated_at
      from reviews
      where listing_id = ${listingId} and country = f.country
        and (f.shown_until is null or edited_at is null or edited_at < f.shown_until)
      union all
      select r.id, store_review_id, author, v.rating, v.title, v.body, v.version, country, language,
        v.reviewed_at, first_seen_at, case when v.seen_at > first_seen_at then v.seen_at end,
        ${shownReply}, coalesce(v.reviewed_at, first_seen_at)
      from reviews r cross join lateral (
        select * from review_versions v
        where v.review_id = r.id and v.replaced_at >= f.shown_until order by v.id limit 1
      ) v
      where listing_id = ${listingId} and country = f.country and f.shown_until is not null
        and edited_at >= f.shown_until
    ) r on (f.after is null or r.first_seen_at >= f.after)
      and (f.until is null or r.first_seen_at < f.until)
      and (r.first_seen_at >= f.since or (f.is_read
        and (f.shown_from is null or r.dated_at >= f.shown_from)))
    left join ${
      feeds[0]?.isShared ? sharedMarks(workspaceId) : sql`review_marks`
    } m on m.workspace_id = ${workspaceId} and m.store_review_id = r.store_review_id
      and ${feeds[0]?.isShared ? sql`true` : sql`m.country = r.country`}
      and m.app_id = (select id from apps where workspace_id = ${workspaceId}
        and listing_id = ${listingId})`;
}

/** The marks of reviews that several countries have, whichever of them they were made in. */
export const sharedMarks = (workspaceId: number): RawBuilder<unknown> => sql`(
    select distinct on (app_id, store_review_id) * from review_marks
    where workspace_id = ${workspaceId} order by app_id, store_review_id, country
  )`;

const shownReply = sql`
  case when f.shown_until is null or reply_at is null or reply_at < f.shown_until then reply end
    as reply,
  case when f.shown_until is null or reply_at < f.shown_until then reply_at end as reply_at`;

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
    conditions.push(containsText(sql`concat_ws(E'\n', r.title, r.body)`, text));
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
