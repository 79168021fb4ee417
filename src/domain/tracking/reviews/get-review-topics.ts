import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { reviews } from '#contract/reviews.ts';
import { countReviews, listReviews } from '#db/queries/reviews/reviews.ts';
import { getApp } from '../apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { loadFollowedFeeds } from './followed-feeds.ts';
import { toInstants } from './list-reviews.ts';
import { averageOf } from './present-review.ts';
import { collectTopics, cutReview, type CutReview } from './topics.ts';

type Operation = (typeof reviews)['GET /apps/{id}/reviews/topics'];
export type ReviewTopics = z.input<Operation['responses'][200]>;

const mostExamined = 1_000;
const cutAtOnce = 50;

/**
 * Topics of the newest reviews of the range, without a model. Throws not_found, invalid_request.
 */
export async function getReviewTopics(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
): Promise<ReviewTopics> {
  const range = toInstants(query, ctx.clock.now());
  const { rows, total } = await inTenant(ctx, async (tx) => {
    const { listingId, feeds } = await loadFollowedFeeds(
      tx,
      ctx,
      await getApp(tx, ctx, appId),
      query.country,
    );
    const filter = {
      listingId,
      feeds,
      ...range,
      ratings: query.rating?.map(Number),
      language: query.language,
    };
    const newest = await listReviews(tx, ctx.workspaceId, filter, {
      sort: 'newest',
      after: null,
      limit: mostExamined,
    });
    return {
      rows: newest,
      total:
        newest.length < mostExamined
          ? newest.length
          : await countReviews(tx, ctx.workspaceId, filter),
    };
  });
  const cut: CutReview[] = [];
  for (let at = 0; at < rows.length; at += cutAtOnce) {
    cut.push(...rows.slice(at, at + cutAtOnce).map(cutReview));
    // Finding words in a thousand texts takes so long that other requests are served in between.
    await setImmediate();
  }
  const items = collectTopics(cut, query.limit).map((topic) => ({
    ...topic,
    average: averageOf(topic.stars)!,
  }));
  return { items, examined: rows.length, total };
}
