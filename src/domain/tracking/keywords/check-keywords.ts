import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import { findFollowedApp, listKeywordsToCheck } from '#db/queries/keywords/keywords.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import {
  acceptKeywordCheck,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';

type Accepted = z.input<(typeof keywords)['POST /apps/{id}/keywords/check']['responses'][202]>;
type Skipped = Accepted['skipped'][number];
type Keyword = Awaited<ReturnType<typeof listKeywordsToCheck>>[number];

/**
 * Accepts today's checks of chosen keywords ahead of the run; without a job when none is left to
 * check. A keyword of another app makes the whole call throw not_found. Throws invalid_request
 * (archived app), queue_full.
 */
export async function checkKeywords(
  ctx: Ctx,
  appId: number,
  requestedIds: number[],
): Promise<{ job: JobReference | null; poll: string; skipped: Skipped[] }> {
  await assertQueueCapacity(ctx);
  const ids = [...new Set(requestedIds)];
  return inTenant(ctx, async (tx) => {
    const app = await findFollowedApp(tx, ctx.workspaceId, appId);
    if (!app) throw notFound();
    if (app.archived) throw invalid('id', 'the app is archived; restore it first', appId);
    const found = await listKeywordsToCheck(tx, ctx.workspaceId, { appId, ids });
    if (found.length < ids.length) throw notFound();
    const day = utcDayOf(ctx.clock.now());
    const skipped: Skipped[] = [];
    const marketIds: number[] = [];
    for (const keyword of found) {
      const reason = findSkipReason(keyword, day);
      if (reason === null) marketIds.push(keyword.marketId);
      else skipped.push({ keywordId: keyword.id, reason });
    }
    const job =
      marketIds.length === 0 ? null : await acceptKeywordCheck(tx, ctx, { appId, marketIds });
    return { job, poll: `/apps/${appId}/rankings`, skipped };
  });
}

function findSkipReason(
  { paused, held, latestOn }: Keyword,
  day: UtcDay,
): Skipped['reason'] | null {
  if (paused) return 'paused';
  if (held) return 'over_limit';
  return latestOn === day ? 'checked_today' : null;
}
