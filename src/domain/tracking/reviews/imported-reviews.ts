import type { Fact } from '#contract/imported-facts.ts';
import type { Tx } from '#db/database.ts';
import type { ImportedFactFilter } from '#db/queries/imports/imported-facts.ts';
import { listReviewMarks, type KnownReview } from '#db/queries/reviews/review-marks.ts';
import type { ReviewCursor, ReviewFilter, ReviewRow } from '#db/queries/reviews/reviews.ts';
import { startOfDayMs } from '#lib/dates.ts';
import { includesText } from '#lib/includes-text.ts';
import type { Ctx } from '#domain/base/context.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';

export type ReviewSort = 'newest' | 'lowest';
type Scope = Pick<Ctx, 'workspaceId'>;

/**
 * Imported reviews with this workspace's marks; without those that this instance shows itself.
 */
export async function listImportedReviews(
  tx: Tx,
  ctx: Scope,
  shown: Pick<ReviewFilter, 'listingId' | 'feeds'>,
  filter: Omit<ImportedFactFilter, 'kind'> & { appId: number },
): Promise<ReviewRow[]> {
  const facts = await readImportedFacts(tx, ctx, { kind: 'reviews', ...filter });
  if (facts.length === 0) return [];
  const known = await listReviewMarks(
    tx,
    ctx.workspaceId,
    { ...shown, appId: filter.appId },
    facts,
  );
  return facts.flatMap((fact, index) =>
    known[index]!.isShown ? [] : [toRow(fact, known[index]!)],
  );
}

function toRow(fact: Fact<'reviews'>, { tags, note, readAt }: KnownReview): ReviewRow {
  const { reviewedAt, firstSeenAt, editedAt, reply, read: _read, appId: _appId, ...review } = fact;
  const toDate = (at: string | null) => (at === null ? null : new Date(at));
  return {
    ...review,
    reviewedAt: toDate(reviewedAt),
    firstSeenAt: toDate(firstSeenAt),
    editedAt: toDate(editedAt),
    reply: reply?.text ?? null,
    replyAt: toDate(reply?.at ?? null),
    datedAt: toDate(reviewedAt) ?? toDate(firstSeenAt) ?? new Date(startOfDayMs('2000-01-01')),
    tags,
    note,
    readAt,
  };
}

/** The conditions of the list that the query of this instance's own reviews has. */
export function matchesReview(
  review: ReviewRow,
  { feeds, from, until, ratings, version, language, text, hasReply, tag, unread }: ReviewFilter,
): boolean {
  const said = [review.title, review.body].filter((part) => part !== null).join('\n');
  return (
    feeds.some(({ country }) => country === review.country) &&
    (from === undefined || review.datedAt >= from) &&
    (until === undefined || review.datedAt < until) &&
    (ratings === undefined || ratings.includes(review.rating)) &&
    (version === undefined || review.version === version) &&
    (language === undefined || review.language === language) &&
    (text === undefined || includesText(said, text)) &&
    (hasReply === undefined || hasReply === (review.reply !== null)) &&
    (tag === undefined || (review.tags ?? []).includes(tag)) &&
    (unread === undefined || unread === (review.readAt === null))
  );
}

/**
 * One of each review that several of the feeds have: the one with the first id. It may not match a
 * filter that another one matches.
 */
export function countOnce(
  reviews: readonly ReviewRow[],
  feeds: ReviewFilter['feeds'],
): readonly ReviewRow[] {
  if (!feeds[0]?.isShared) return reviews;
  const countries = new Set(feeds.map(({ country }) => country));
  const lastFirst = reviews
    .filter(({ country }) => countries.has(country))
    .toSorted((a, b) => b.id - a.id);
  return [...new Map(lastFirst.map((review) => [review.storeReviewId, review])).values()];
}

/** The order of the list: negative when `a` comes first. */
export function compareReviews(a: ReviewCursor, b: ReviewCursor, sort: ReviewSort): number {
  const byRating = sort === 'lowest' ? a.rating - b.rating : 0;
  return byRating || b.datedAt.getTime() - a.datedAt.getTime() || b.id - a.id;
}

/** Imported items with the marks that this workspace has made since. */
export async function markImportedReviews(
  tx: Tx,
  ctx: Scope,
  appId: number,
  facts: readonly Fact<'reviews'>[],
): Promise<Fact<'reviews'>[]> {
  const app = { appId, listingId: 0, feeds: [] };
  const marks = await listReviewMarks(tx, ctx.workspaceId, app, facts);
  return facts.map((fact, index) => {
    const { tags, note, readAt } = marks[index]!;
    return { ...fact, tags: tags ?? [], note, read: readAt !== null };
  });
}
