import type { z } from 'zod';
import type { keywords } from '../../contract/keywords.ts';
import type { Tx } from '../../db/database.ts';
import {
  lockKeywords,
  lockMarketsOf,
  updateKeywords,
  type ChangeableKeyword,
  type KeywordChange,
} from '../../db/queries/keyword-changes.ts';
import { markMarketsUrgent } from '../../db/queries/jobs.ts';
import { refreshListingDemand, refreshMarketDemand } from '../../db/queries/markets.ts';
import { utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { isStorable } from '../../lib/text.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { refreshBudgetInPlan } from '../budget/require-room.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { overQuotaTerm } from '../rankings/terms.ts';
import { changeTerms } from './change-terms.ts';
import { readKeywordRecords, type KeywordRecord } from './keyword-record.ts';
import { listTagFaults, refuse } from './read-wanted.ts';

type BulkUpdate = z.output<(typeof keywords)['POST /apps/{id}/keywords/update']['body']>;
type Patch = z.output<(typeof keywords)['PATCH /keywords/{keywordId}']['body']>;
type Changes = Patch & BulkUpdate['set'];

const maxTags = 20;

/** Changes one keyword; its phrase and country stay. Throws not_found. */
export function patchKeyword(ctx: Ctx, keywordId: number, patch: Patch): Promise<KeywordRecord> {
  requireStorable(patch);
  return inTenant(ctx, async (tx) => {
    await changeKeywords(tx, ctx, { ids: [keywordId], appId: null }, patch);
    const [record] = await readKeywordRecords(tx, ctx, [keywordId]);
    return record!;
  });
}

/** Changes up to 200 keywords of an app alike. One that is not this app's refuses all of it with not_found. */
export function bulkUpdateKeywords(
  ctx: Ctx,
  appId: number,
  { ids, set }: BulkUpdate,
): Promise<{ updated: number }> {
  requireStorable(set);
  return inTenant(ctx, async (tx) => ({
    updated: await changeKeywords(tx, ctx, { ids, appId }, set),
  }));
}

export async function changeKeywords(
  tx: Tx,
  ctx: Ctx,
  target: { ids: number[]; appId: number | null },
  changes: Changes,
): Promise<number> {
  const ids = [...new Set(target.ids)];
  if (changes.paused !== undefined || changes.depth !== undefined)
    await lockMarketsOf(tx, ctx.workspaceId, ids);
  const live = await lockKeywords(tx, ctx.workspaceId, { ids, appId: target.appId });
  if (live.length < ids.length) throw notFound();
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  await updateKeywords(
    tx,
    ctx.workspaceId,
    live.map((keyword) => toChange(keyword, changes, today)),
    changes,
  );
  const subject = target.appId === null ? `keyword ${ids[0]}` : `app ${target.appId}`;
  await writeAudit(tx, ctx, {
    action: 'keywords.changed',
    subject,
    detail: { count: live.length, fields: Object.keys(changes).join(', ') },
  });
  const demanded = live.filter(
    (keyword) => isOther(changes.paused, keyword.paused) || isOther(changes.depth, keyword.depth),
  );
  if (demanded.length === 0) return live.length;
  await refreshDemand(tx, demanded);
  await refreshBudgetInPlan(tx, ctx);
  await markMarketsUrgent(tx, listToAnswer(demanded, changes, today), {
    day: today,
    now,
    evenSettled: true,
  });
  return live.length;
}

/** What the stores are asked, after keywords are followed differently, or no more. The budget, and its lock, come after it. */
export async function refreshDemand(
  tx: Tx,
  changed: Pick<ChangeableKeyword, 'marketId' | 'listingId'>[],
): Promise<void> {
  await refreshMarketDemand(tx, [...new Set(changed.map((keyword) => keyword.marketId))]);
  await refreshListingDemand(tx, [...new Set(changed.map((keyword) => keyword.listingId))]);
}

/** Followed again, or deeper than today's cell reaches: today has to say more than it does. */
function listToAnswer(changed: ChangeableKeyword[], changes: Changes, today: UtcDay): number[] {
  const isAnswered = (keyword: ChangeableKeyword) =>
    keyword.latestOn === today && (changes.depth ?? 0) <= keyword.depth;
  return changed
    .filter((keyword) => !(changes.paused ?? keyword.paused) && !isAnswered(keyword))
    .map((keyword) => keyword.marketId);
}

function toChange(keyword: ChangeableKeyword, changes: Changes, today: UtcDay): KeywordChange {
  const depth = changes.depth ?? keyword.depth;
  const paused = changes.paused ?? keyword.paused;
  const isFollowedOtherwise = depth !== keyword.depth || paused !== keyword.paused;
  const terms = isFollowedOtherwise
    ? changeTerms(keyword.terms, {
        today,
        depth: paused ? 0 : keyword.held ? overQuotaTerm : depth,
        hasCellToday: keyword.latestOn === today,
      })
    : keyword.terms;
  return { id: keyword.id, depth, paused, tags: newTags(keyword.tags, changes), terms };
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

function requireStorable(changes: Changes): void {
  const faults = (['tags', 'addTags', 'removeTags'] as const).flatMap((name) =>
    listTagFaults(name, changes[name]),
  );
  if (faults.length > 0) refuse(faults);
  if (!isStorable(changes.note ?? ''))
    throw invalid('note', 'no NUL and no halves of surrogate pairs');
}

function isOther<T>(wanted: T | undefined, current: T): boolean {
  return wanted !== undefined && wanted !== current;
}
