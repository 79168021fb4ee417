import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { reviews } from '../../contract/reviews.ts';
import { countReviews, listReviews } from '../../db/queries/reviews.ts';
import { getApp } from '../apps/find-app.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readFollowedFeeds } from './followed-feeds.ts';
import { toInstants } from './list-reviews.ts';
import { averageOf } from './present-review.ts';
import { collectTopics, cutReview, type CutReview } from './topics.ts';

type Operation = (typeof reviews)['GET /apps/{id}/reviews/topics'];
export type ReviewTopics = z.input<Operation['responses'][200]>;

const mostExamined = 1_000;
const cutAtOnce = 50;

/** What the newest reviews of the range talk about, without a model. Throws not_found, invalid_request. */
export async function readReviewTopics(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
): Promise<ReviewTopics> {
  const range = toInstants(query, ctx.clock.now());
  const { rows, total } = await inTenant(ctx, async (tx) => {
    const { listingId, feeds } = await readFollowedFeeds(
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
    // Finding words in a thousand texts takes long enough that others must get a turn.
    await setImmediate();
  }
  const items = collectTopics(cut, query.limit).map((topic) => ({
    ...topic,
    average: averageOf(topic.stars)!,
  }));
  return { items, examined: rows.length, total };
}
