import type { Tx } from '../../db/database.ts';
import { listHintChores, markChoresUrgent } from '../../db/queries/chores.ts';
import { markMarketsUrgent } from '../../db/queries/jobs.ts';
import { findKeywordToScore } from '../../db/queries/keyword-scores.ts';
import { refreshMarketDemand } from '../../db/queries/markets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { accept, requireHeadroom, type JobReference } from '../jobs/accept.ts';

/**
 * Accepts the reading of a keyword's hints ahead of the run, and a first search where there was none; the score follows
 * from them. A second call while the first is open gets the same job. Throws not_found, invalid_request (archived app,
 * paused keyword), queue_full.
 */
export async function requestScore(
  ctx: Ctx,
  keywordId: number,
): Promise<{ job: JobReference; poll: string }> {
  await requireHeadroom(ctx);
  const job = await inTenant(ctx, async (tx) => {
    const keyword = await findKeywordToScore(tx, ctx.workspaceId, keywordId);
    if (!keyword) throw notFound();
    if (keyword.archived)
      throw invalid('keywordId', 'the app is archived; restore it first', keywordId);
    if (keyword.paused)
      throw invalid('keywordId', 'the keyword is paused; go on following it first', keywordId);
    const now = ctx.clock.now();
    const day = utcDayOf(now);
    const marketIds = keyword.checked ? [] : [keyword.marketId];
    const markets = await markMarketsUrgent(tx, marketIds, { day, now });
    const choreIds = await ensureHints(tx, keyword.marketId);
    const total = markets + (await markChoresUrgent(tx, choreIds, { day, now, evenSettled: true }));
    const payload = { day, choreIds, marketIds };
    return accept(tx, ctx, {
      appId: keyword.appId,
      kind: 'score',
      dedupeKey: `score_${keyword.marketId}_${day}`,
      payload,
      total,
    });
  });
  return { job, poll: `/keywords/${keywordId}/scores` };
}

/** The market's chore; made now where the market was followed before hints were read. */
async function ensureHints(tx: Tx, marketId: number): Promise<number[]> {
  const known = await listHintChores(tx, [marketId]);
  if (known.length > 0) return known;
  await refreshMarketDemand(tx, [marketId]);
  return listHintChores(tx, [marketId]);
}
