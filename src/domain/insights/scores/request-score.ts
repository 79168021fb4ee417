import type { Tx } from '#db/database.ts';
import { listHintTasks } from '#db/queries/store-tasks/store-tasks.ts';
import { markMarketsUrgent, markStoreTasksUrgent } from '#db/queries/jobs/urgency.ts';
import { findKeywordToScore } from '#db/queries/scores/keyword-scores.ts';
import { refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import {
  acceptStoreJob,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';

/**
 * Accepts the reading of a keyword's hints ahead of the run, and a first search if there was none.
 * The score follows. A second call while the first is open returns the same job. Throws not_found,
 * invalid_request (archived app, paused keyword), queue_full.
 */
export async function requestScore(
  ctx: Ctx,
  keywordId: number,
): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  const job = await inTenant(ctx, async (tx) => {
    const keyword = await findKeywordToScore(tx, ctx.workspaceId, keywordId);
    if (!keyword) throw notFound();
    if (keyword.archived)
      throw invalid('keywordId', 'the app is archived; restore it first', keywordId);
    if (keyword.paused)
      throw invalid('keywordId', 'the keyword is paused; resume it first', keywordId);
    const now = ctx.clock.now();
    const day = utcDayOf(now);
    const marketIds = keyword.checked ? [] : [keyword.marketId];
    await markMarketsUrgent(tx, ctx.workspaceId, marketIds, { day, now });
    const storeTaskIds = await ensureHints(tx, keyword.marketId);
    await markStoreTasksUrgent(tx, ctx.workspaceId, storeTaskIds, {
      day,
      now,
      includeCompleted: true,
    });
    return acceptStoreJob(tx, ctx, {
      appId: keyword.appId,
      kind: 'score',
      dedupeKey: `score_${keyword.marketId}_${day}`,
      payload: { day, storeTaskIds, marketIds },
    });
  });
  return { job, poll: `/keywords/${keywordId}/scores` };
}

/**
 * The market's store task. It is created now for a market that was tracked before hints were read.
 */
async function ensureHints(tx: Tx, marketId: number): Promise<number[]> {
  const known = await listHintTasks(tx, [marketId]);
  if (known.length > 0) return known;
  await refreshMarketDemand(tx, [marketId]);
  return listHintTasks(tx, [marketId]);
}
