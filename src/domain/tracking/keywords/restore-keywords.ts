import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import {
  listRestorableKeywords,
  type RestorableKeyword,
} from '#db/queries/keywords/removed-keywords.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { assertQueueCapacity } from '#domain/base/jobs/accept-job.ts';
import { addRequestedKeywords } from './add-keywords.ts';
import type { RequestedKeyword } from './parse-keywords.ts';
import { getAppForAddition } from './plan-addition.ts';

export type RestoredKeywords = z.input<
  (typeof keywords)['POST /apps/{id}/removed-keywords/restore']['responses'][200]
>;

/**
 * Tracks up to 200 removed keywords again, all or nothing, as they were before the removal. Throws
 * not_found for an id that is no removed keyword of the app, and what adding keywords throws.
 */
export async function restoreKeywords(
  ctx: Ctx,
  appId: number,
  ids: number[],
): Promise<RestoredKeywords> {
  const requested = await inTenant(ctx, async (tx) => {
    await getAppForAddition(tx, ctx, appId);
    const unique = [...new Set(ids)];
    const input = { appId, ids: unique, now: ctx.clock.now() };
    const rows = await listRestorableKeywords(tx, ctx.workspaceId, input);
    if (rows.length < unique.length) throw notFound();
    return rows.map(toRequested);
  });
  // Also for keywords that are tracked already: a full queue refuses what may enqueue work.
  if (requested.some(({ removed }) => !removed?.paused)) await assertQueueCapacity(ctx);
  const { added, ...rest } = await addRequestedKeywords(ctx, appId, requested);
  return { restored: added, ...rest };
}

/** Without tags, a keyword keeps those that it has. */
function toRequested({ id, paused, ...keyword }: RestorableKeyword): RequestedKeyword {
  return { ...keyword, tags: [], removed: { id, paused } };
}
