import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import type { Tx } from '#db/database.ts';
import {
  lockKeywords,
  lockMarketsOf,
  updateKeywords,
  type ChangeableKeyword,
  type KeywordUpdate,
} from '#db/queries/keywords/keyword-writes.ts';
import { markMarketsUrgent } from '#db/queries/jobs/urgency.ts';
import { refreshListingDemand, refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { isStorable } from '#lib/text.ts';
import { assertUnchanged } from '#domain/base/assert-unchanged.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { refreshBudgetWithinQuota } from '#domain/base/budget/assert-within-quota.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { takeFirstChecks } from '#domain/base/jobs/first-check-allowance.ts';
import { overQuotaDepth } from '../rankings/tracking-periods.ts';
import { updateTrackingPeriods } from './update-tracking-periods.ts';
import { loadKeywordRecords, type KeywordRecord } from './keyword-records.ts';
import { listTagErrors, refuse } from './parse-keywords.ts';

type BulkUpdate = z.output<(typeof keywords)['POST /apps/{id}/keywords/update']['body']>;
type Patch = z.output<(typeof keywords)['PATCH /keywords/{keywordId}']['body']>;
type Changes = Patch & BulkUpdate['set'];

/** Keywords of an app, or one keyword of any app. */
interface Target {
  ids: number[];
  appId: number | null;
}

const maxTags = 20;

/**
 * Updates one keyword; its phrase, country and device stay. Throws not_found, precondition_failed
 * and invalid_request (depth or state of a keyword of an archived app).
 */
export function updateKeyword(ctx: Ctx, keywordId: number, patch: Patch): Promise<KeywordRecord> {
  assertStorable(patch);
  return inTenant(ctx, async (tx) => {
    await assertKeywordUnchanged(tx, ctx, keywordId, patch);
    await applyKeywordUpdates(tx, ctx, { ids: [keywordId], appId: null }, patch);
    const [record] = await loadKeywordRecords(tx, ctx, [keywordId]);
    return record!;
  });
}

/** Takes the locks of the update in their order before it compares. */
async function assertKeywordUnchanged(
  tx: Tx,
  ctx: Ctx,
  keywordId: number,
  { paused, depth }: Patch,
): Promise<void> {
  if (!ctx.precondition) return;
  if (paused !== undefined || depth !== undefined)
    await lockMarketsOf(tx, ctx.workspaceId, [keywordId]);
  await lockKeywords(tx, ctx.workspaceId, { ids: [keywordId], appId: null });
  const [current] = await loadKeywordRecords(tx, ctx, [keywordId]);
  if (current) assertUnchanged(ctx, current);
}

/**
 * Applies the same update to up to 200 keywords of an app. A keyword of another app makes the whole
 * call throw not_found. Throws invalid_request (depth or state in an archived app).
 */
export function bulkUpdateKeywords(
  ctx: Ctx,
  appId: number,
  { ids, set }: BulkUpdate,
): Promise<{ updated: number }> {
  assertStorable(set);
  return inTenant(ctx, async (tx) => ({
    updated: await applyKeywordUpdates(tx, ctx, { ids, appId }, set),
  }));
}

export async function applyKeywordUpdates(
  tx: Tx,
  ctx: Ctx,
  target: Target,
  changes: Changes,
): Promise<number> {
  const ids = [...new Set(target.ids)];
  if (ids.length > 1 || changes.paused !== undefined || changes.depth !== undefined)
    await lockMarketsOf(tx, ctx.workspaceId, ids);
  const live = await lockKeywords(tx, ctx.workspaceId, { ids, appId: target.appId });
  if (live.length < ids.length) throw notFound();
  const demanded = live.filter(
    (keyword) => isOther(changes.paused, keyword.paused) || isOther(changes.depth, keyword.depth),
  );
  assertChecked(demanded, target);
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  await updateKeywords(
    tx,
    ctx.workspaceId,
    live.map((keyword) => toChange(keyword, changes, now)),
    changes,
  );
  const subject = target.appId === null ? `keyword ${ids[0]}` : `app ${target.appId}`;
  await writeAudit(tx, ctx, {
    action: 'keywords.changed',
    subject,
    detail: { count: live.length, fields: Object.keys(changes).join(', ') },
  });
  if (demanded.length === 0) return live.length;
  await refreshDemand(tx, demanded);
  const due = await takeFirstChecks(tx, ctx, listDueMarkets(demanded, changes, today));
  await markMarketsUrgent(tx, ctx.workspaceId, due, { day: today, now, includeCompleted: true });
  const isResumed = (keyword: ChangeableKeyword) => keyword.paused && changes.paused === false;
  await refreshBudgetWithinQuota(tx, ctx, {
    resumed: { ids: demanded.filter(isResumed).map((keyword) => keyword.id) },
  });
  return live.length;
}

/** Days that nothing checks would count as tracked after a change of depth or state. */
function assertChecked(changed: readonly ChangeableKeyword[], { ids, appId }: Target): void {
  if (!changed.some(({ appArchived }) => appArchived)) return;
  const message = 'the app is archived; restore it first';
  throw appId === null ? invalid('keywordId', message, ids[0]) : invalid('id', message, appId);
}

/** Refreshes the store demand after keywords changed. The budget with its lock comes after it. */
export async function refreshDemand(
  tx: Tx,
  changed: Pick<ChangeableKeyword, 'marketId' | 'listingId'>[],
): Promise<void> {
  await refreshMarketDemand(tx, [...new Set(changed.map((keyword) => keyword.marketId))]);
  await refreshListingDemand(tx, [...new Set(changed.map((keyword) => keyword.listingId))]);
}

/**
 * Markets that are tracked again, or deeper than today's result, need another search today. Those
 * above the plan's limit are not searched.
 */
function listDueMarkets(changed: ChangeableKeyword[], changes: Changes, today: UtcDay): number[] {
  const hasTodaysRank = (keyword: ChangeableKeyword) =>
    keyword.latestOn === today && (changes.depth ?? 0) <= keyword.depth;
  return changed
    .filter(
      (keyword) => !keyword.held && !(changes.paused ?? keyword.paused) && !hasTodaysRank(keyword),
    )
    .map((keyword) => keyword.marketId);
}

function toChange(keyword: ChangeableKeyword, changes: Changes, now: Date): KeywordUpdate {
  const depth = changes.depth ?? keyword.depth;
  const paused = changes.paused ?? keyword.paused;
  const isFollowedOtherwise = depth !== keyword.depth || paused !== keyword.paused;
  const trackingPeriods = isFollowedOtherwise
    ? updateTrackingPeriods(keyword.trackingPeriods, {
        now,
        depth: paused ? 0 : keyword.held ? overQuotaDepth : depth,
        hasRankToday: keyword.latestOn === utcDayOf(now),
      })
    : keyword.trackingPeriods;
  return { id: keyword.id, depth, paused, tags: newTags(keyword.tags, changes), trackingPeriods };
}

function newTags(current: string[], changes: Changes): string[] {
  const removed = new Set(changes.removeTags);
  const tags = [
    ...new Set([
      ...(changes.tags ?? current).filter((tag) => !removed.has(tag)),
      ...(changes.addTags ?? []),
    ]),
  ];
  if (tags.length > maxTags) throw invalid('tags', 'tags of a keyword', tags.length, maxTags);
  return tags;
}

function assertStorable(changes: Changes): void {
  const faults = (['tags', 'addTags', 'removeTags'] as const).flatMap((name) =>
    listTagErrors(name, changes[name]),
  );
  if (faults.length > 0) refuse(faults);
  if (!isStorable(changes.note ?? '')) throw invalid('note', 'no NUL and no lone surrogates');
}

function isOther<T>(requested: T | undefined, current: T): boolean {
  return requested !== undefined && requested !== current;
}
