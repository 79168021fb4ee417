import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ReviewFeed {
  listingId: number;
  country: string;
}

interface FeedToRead {
  storeAppId: string;
  knownRatingCount: number | null;
  /** True when the feed was read before and had no reviews. */
  wasEmpty: boolean;
  syncedAt: Date | null;
}

/** The state of a feed before a reading; undefined for an unknown listing. */
export async function findReviewFeed(db: Db, feed: ReviewFeed): Promise<FeedToRead | undefined> {
  const { rows } = await sql<Row<'find-review-feed', FeedToRead>>`/* find-review-feed */
    select l.store_app_id as "storeAppId", c.synced_at as "syncedAt",
      c.synced_at is not null and not exists (select from reviews r
        where r.listing_id = l.id and r.country = ${feed.country}) as "wasEmpty",
      (select d.rating_count from listing_days d
        where d.listing_id = l.id and d.country = ${feed.country} order by d.on_date desc limit 1)
        as "knownRatingCount"
    from listings l left join review_coverage c on c.listing_id = l.id
      and c.country = ${feed.country}
    where l.id = ${feed.listingId}`.execute(db);
  return rows[0];
}

export interface StoredReviewRow {
  id: number;
  storeReviewId: string;
  rating: number;
  title: string | null;
  body: string;
  reviewedAt: Date | null;
  isConfirmed: boolean;
}

/**
 * The stored reviews of a page, locked until the transaction ends. They are locked in the order of
 * their ids, so that concurrent readings wait without a deadlock.
 */
export async function lockStoredReviews(
  tx: Tx,
  feed: ReviewFeed,
  storeReviewIds: string[],
): Promise<StoredReviewRow[]> {
  const { rows } = await sql<Row<'lock-stored-reviews', StoredReviewRow>>`/* lock-stored-reviews */
    select id::float8 as id, store_review_id as "storeReviewId", rating, title, body,
      reviewed_at as "reviewedAt",
      pending_sync_id is null as "isConfirmed"
    from reviews
    where listing_id = ${feed.listingId} and country = ${feed.country}
      and store_review_id = any(${storeReviewIds}::text[])
    order by store_review_id collate "C" for no key update`.execute(tx);
  return rows;
}

export interface ReviewTexts {
  storeReviewId: string;
  author: string | null;
  rating: number;
  title: string | null;
  body: string;
  version: string | null;
  language: string | null;
  reviewedAt: Date | null;
  reply: string | null;
  replyAt: Date | null;
}

/**
 * A review that another reading wrote in the meantime now belongs to this reading, and is complete
 * when this reading is.
 */
export async function insertReviews(
  tx: Tx,
  feed: ReviewFeed,
  input: { reading: string; now: Date; reviews: ReviewTexts[] },
): Promise<void> {
  const { reading, now, reviews } = input;
  await sql`/* insert-reviews */
    insert into reviews (listing_id, country, store_review_id, author, rating, title, body, version,
      language, reviewed_at, reply, reply_at,
      first_seen_at, pending_sync_id)
    select ${feed.listingId}, ${feed.country}, r.store_review_id, r.author, r.rating, r.title,
      r.body, r.version, r.language, r.reviewed_at,
      r.reply, r.reply_at, ${now}, ${reading}::uuid
    from ${unnestReviews(reviews)}
    order by r.store_review_id collate "C"
    on conflict (listing_id, country, store_review_id) do update
      set pending_sync_id = excluded.pending_sync_id`.execute(tx);
}

/** Keeps the earlier version of an edited review and stores the new one. */
export async function updateEditedReviews(
  tx: Tx,
  input: { reading: string; now: Date; ids: number[]; reviews: ReviewTexts[] },
): Promise<void> {
  const { reading, now, ids, reviews } = input;
  await sql`/* save-review-versions */
    insert into review_versions (review_id, seen_at, replaced_at, reviewed_at, rating, title, body,
      version)
    select id, coalesce(edited_at, first_seen_at), ${now}, reviewed_at, rating, title, body, version
    from reviews where id = any(${ids}::bigint[]) order by id`.execute(tx);
  await sql`/* update-edited-reviews */
    update reviews k set author = r.author, rating = r.rating, title = r.title, body = r.body,
      version = coalesce(r.version, k.version),
      language = r.language, reviewed_at = coalesce(r.reviewed_at, k.reviewed_at), reply = r.reply,
        reply_at = r.reply_at,
      edited_at = ${now}, pending_sync_id = ${reading}::uuid
    from ${unnestReviews(reviews, ids)} where k.id = r.id`.execute(tx);
}

/**
 * Updates the developer's reply, which may be new. Reviews that moved, or that no reading has
 * completed, now belong to this reading.
 */
export async function updateSameReviews(
  tx: Tx,
  input: { reading: string; ids: number[]; reviews: ReviewTexts[] },
): Promise<void> {
  const { reading, ids, reviews } = input;
  await sql`/* update-same-reviews */
    update reviews k set reply = r.reply, reply_at = r.reply_at,
      reviewed_at = coalesce(r.reviewed_at, k.reviewed_at),
      pending_sync_id = case when k.pending_sync_id is not null or r.reviewed_at > k.reviewed_at
        then ${reading}::uuid end
    from ${unnestReviews(reviews, ids)}
    where k.id = r.id and (k.pending_sync_id is not null
      or (k.reply, k.reply_at) is distinct from (r.reply, r.reply_at)
      or coalesce(r.reviewed_at, k.reviewed_at) is distinct from k.reviewed_at)`.execute(tx);
}

export interface ReviewSyncEnd {
  reading: string;
  /**
   * Where the reading ended: at a known review, at the end of the list, or at the limit of the
   * store or of this product.
   */
  end: 'known' | 'exhausted' | 'window';
  /** The newest review of its first page. */
  newest: Date | null;
  oldest: Date | null;
  exceeded: boolean;
  syncedAt: Date;
}

/**
 * The reading reached known reviews or an end, so later readings may stop at its reviews. Reviews
 * written after its first page was read are excepted: of those it saw only what moved to later
 * pages.
 */
export async function completeReviewSync(
  tx: Tx,
  feed: ReviewFeed,
  ended: ReviewSyncEnd,
): Promise<void> {
  const { reading, end, newest, oldest, exceeded, syncedAt } = ended;
  await sql`/* complete-reviews */
    update reviews set pending_sync_id = null
    where listing_id = ${feed.listingId} and country = ${feed.country}
      and pending_sync_id = ${reading}::uuid
      and (${newest}::timestamptz is null or reviewed_at is null
        or reviewed_at <= ${newest}::timestamptz)`.execute(tx);
  await sql`/* complete-review-coverage */
    insert into review_coverage as c (listing_id, country, synced_at, known_from, exceeded_at)
    values (${feed.listingId}, ${feed.country}, ${syncedAt}, ${end === 'exhausted' ? null : oldest},
      ${exceeded ? syncedAt : null})
    on conflict (listing_id, country) do update
      set synced_at = greatest(c.synced_at, excluded.synced_at),
      known_from = case when ${end === 'known'}::boolean then c.known_from else excluded.known_from
        end,
      exceeded_at = coalesce(excluded.exceeded_at, c.exceeded_at), is_evaluated = false`.execute(
    tx,
  );
}

function unnestReviews(reviews: ReviewTexts[], ids: number[] = []) {
  const column = <Value>(read: (review: ReviewTexts) => Value) => sql`${reviews.map(read)}`;
  return sql`unnest(
    ${ids}::bigint[], ${column((r) => r.storeReviewId)}::text[], ${column((r) => r.author)}::text[],
    ${column((r) => r.rating)}::smallint[], ${column((r) => r.title)}::text[],
    ${column((r) => r.body)}::text[], ${column((r) => r.version)}::text[],
    ${column((r) => r.language)}::text[], ${column((r) => r.reviewedAt)}::timestamptz[],
    ${column((r) => r.reply)}::text[], ${column((r) => r.replyAt)}::timestamptz[]
  ) as r(id, store_review_id, author, rating, title, body, version, language, reviewed_at,
    reply, reply_at)`;
}
