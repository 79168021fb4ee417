import type { z } from 'zod';
import type { reviews } from '#contract/reviews.ts';
import type { Tx } from '#db/database.ts';
import {
  findMarkedCountry,
  findReviewedApp,
  listReviewVersions,
  lockReviewMark,
  upsertReviewMark,
  type ReviewedApp,
  type ReviewMarkUpdate,
} from '#db/queries/reviews/review-marks.ts';
import type { FollowedFeed } from '#db/queries/reviews/followed-feeds.ts';
import { listReviews, type ReviewFilter, type ReviewRow } from '#db/queries/reviews/reviews.ts';
import { parseTags, assertStorable } from '#domain/base/text/parse-tags.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { getApp } from '../apps/get-app.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';
import { loadFollowedFeeds } from './followed-feeds.ts';
import { listImportedReviews } from './imported-reviews.ts';
import { presentReview, type ReviewRecord } from './present-review.ts';

export type ReviewWithHistory = z.input<
  (typeof reviews)['GET /reviews/{reviewId}']['responses'][200]
>;

/** A review of an app of this workspace with its earlier versions. Throws not_found. */
export function readReview(ctx: Ctx, reviewId: number): Promise<ReviewWithHistory> {
  return inTenant(ctx, async (tx) => {
    const { row, appId, feed } = await getReview(tx, ctx, reviewId);
    if (feed === null) return { ...presentReview(row, appId), history: [] };
    const versions = await listReviewVersions(tx, reviewId, feed);
    const history = versions.map(({ reviewedAt, firstSeenAt, replacedAt, ...said }) => ({
      ...said,
      reviewedAt: reviewedAt?.toISOString() ?? null,
      firstSeenAt: firstSeenAt?.toISOString() ?? null,
      replacedAt: replacedAt.toISOString(),
    }));
    return { ...presentReview(row, appId), history };
  });
}

/**
 * Updates this workspace's marks on a review; omitted ones stay. Throws not_found,
 * precondition_failed, invalid_request.
 */
export function updateReview(
  ctx: Ctx,
  reviewId: number,
  change: ReviewMarkUpdate,
): Promise<ReviewRecord> {
  assertStorable('note', change.note);
  const tags = parseTags(change.tags);
  return inTenant(ctx, async (tx) => {
    const { appId, row } = await getReview(tx, ctx, reviewId);
    const { storeReviewId } = row;
    const marked = await findMarkedCountry(tx, ctx.workspaceId, { appId, storeReviewId });
    const country = marked ?? row.country;
    const target = { appId, country, storeReviewId, now: ctx.clock.now() };
    if (ctx.precondition) {
      await lockReviewMark(tx, ctx.workspaceId, target);
      assertUnchanged(ctx, presentReview((await getReview(tx, ctx, reviewId)).row, appId));
    }
    await upsertReviewMark(tx, ctx.workspaceId, target, { ...change, tags });
    return presentReview((await getReview(tx, ctx, reviewId)).row, appId);
  });
}

interface FoundReview {
  row: ReviewRow;
  appId: number;
  /** Null for an imported review, of which no earlier versions are known. */
  feed: FollowedFeed | null;
}

async function getReview(tx: Tx, ctx: Ctx, reviewId: number): Promise<FoundReview> {
  const app = await findReviewedApp(tx, ctx.workspaceId, reviewId);
  return app ? getOwnReview(tx, ctx, app, { id: reviewId }) : getImportedReview(tx, ctx, reviewId);
}

async function getOwnReview(
  tx: Tx,
  ctx: Ctx,
  app: ReviewedApp,
  by: Pick<ReviewFilter, 'id' | 'storeReviewId'>,
): Promise<FoundReview> {
  const { listingId, feeds } = await loadFollowedFeeds(tx, ctx, app, app.country);
  const [row] = await listReviews(
    tx,
    ctx.workspaceId,
    { listingId, feeds, ...by },
    { sort: 'newest', after: null, limit: 1 },
  );
  if (!row) throw notFound();
  return { row, appId: app.id, feed: feeds[0]! };
}

/** A review that this instance has read itself since is shown as it was read here. */
async function getImportedReview(tx: Tx, ctx: Ctx, id: number): Promise<FoundReview> {
  const facts = await readImportedFacts(tx, ctx, { kind: 'reviews', itemIds: [id] });
  const fact = facts.find((one) => one.id === id);
  if (fact === undefined) throw notFound();
  const { appId, country, storeReviewId } = fact;
  const app = await getApp(tx, ctx, appId);
  const { listingId, feeds } = await loadFollowedFeeds(tx, ctx, app);
  const rows = await listImportedReviews(tx, ctx, { listingId, feeds }, { appId, itemIds: [id] });
  const row = rows.find((review) => review.id === id);
  return row
    ? { row, appId, feed: null }
    : getOwnReview(tx, ctx, { ...app, country }, { storeReviewId });
}
