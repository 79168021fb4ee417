import type { z } from 'zod';
import type { keywords } from '#contract/keywords.ts';
import type { Tx } from '#db/database.ts';
import { lockAppShared } from '#db/queries/apps/apps.ts';
import { listBudgetRows } from '#db/queries/budget/budgets.ts';
import { upsertKeywords, type NewKeyword } from '#db/queries/keywords/keyword-writes.ts';
import {
  insertUnknownMarkets,
  refreshListingDemand,
  refreshMarketDemand,
  upsertSchedules,
} from '#db/queries/rankings/markets.ts';
import { startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { budgetDelta } from '#domain/base/budget/cost.ts';
import { readCapacity } from '#domain/base/budget/get-budget.ts';
import { readDemandBefore } from '#domain/base/budget/price-addition.ts';
import {
  refreshBudgetWithinQuota,
  assertWithinQuota,
} from '#domain/base/budget/assert-within-quota.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import {
  acceptFirstCheck,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';
import { decodePosition } from '../rankings/daily-rank-codec.ts';
import { updateTrackingPeriods } from './update-tracking-periods.ts';
import { loadKeywordRecords, unknownChange, type KeywordRecord } from './keyword-records.ts';
import {
  costAddition,
  getAppForAddition,
  isNew,
  isSearched,
  planAddition,
  readKeywordDefaults,
  readStates,
  toHypothetical,
  withoutDuplicates,
  type AdditionCost,
  type RequestedKeywordWithState,
} from './plan-addition.ts';
import { parseKeywords, type AddKeywordsBody, type RequestedKeyword } from './parse-keywords.ts';

export type AddedKeywords = z.input<
  (typeof keywords)['POST /apps/{id}/keywords']['responses'][201]
>;

/**
 * Tracks an app in up to 200 markets, all or nothing: keywords, markets, schedule, budget and the
 * job of the first check are one transaction. Tracked keywords are returned as existing, and
 * deleted ones return with their history.
 */
export async function addKeywords(
  ctx: Ctx,
  appId: number,
  body: AddKeywordsBody,
): Promise<AddedKeywords> {
  const requested = parseKeywords(body, await readKeywordDefaults(ctx, appId));
  return addRequestedKeywords(ctx, appId, requested);
}

/** Tracks any number of keywords that are normalized and validated. */
export async function addRequestedKeywords(
  ctx: Ctx,
  appId: number,
  requested: RequestedKeyword[],
): Promise<AddedKeywords> {
  const plan = await inTenant(ctx, async (tx) => {
    const addition = await planAddition(tx, ctx, appId, requested);
    if (ctx.settings.billingEnabled)
      await assertWithinQuota(tx, ctx, await costAddition(tx, ctx, addition));
    return addition;
  });
  if (plan.items.some((item) => isNew(item) && isSearched(item))) await assertQueueCapacity(ctx);
  return inTenant(ctx, (tx) =>
    trackRequestedKeywords(tx, ctx, appId, withoutDuplicates(requested)),
  );
}

/**
 * All writers take locks in the same order: the app, markets, schedule, listing, and the
 * workspace's budget last.
 */
async function trackRequestedKeywords(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  requested: RequestedKeyword[],
): Promise<AddedKeywords> {
  const now = ctx.clock.now();
  // Archiving and deleting end the demand of the keywords that they see, so they must see these.
  await lockAppShared(tx, ctx.workspaceId, appId);
  const app = await getAppForAddition(tx, ctx, appId);
  const budget = await listBudgetRows(tx, ctx.workspaceId);
  await insertUnknownMarkets(tx, app.store, requested);
  await upsertSchedules(
    tx,
    app.store,
    requested,
    budget.find((row) => row.store === app.store)?.markets ?? 0,
  );
  const items = await readStates(tx, ctx, app, requested);
  const added = items.filter(isNew);
  const { before, unseen } = await readDemandBefore(tx, ctx, toHypothetical(app, added));
  const existing = items.filter((item) => !isNew(item)).map((item) => item.state.keywordId!);
  const outcome = {
    added,
    existing,
    ids: new Map<number, number>(),
    job: null,
    before,
    after: before,
  };
  if (added.length === 0) return presentAddition(tx, ctx, outcome);
  const ids = await upsertKeywords(tx, ctx.workspaceId, {
    appId,
    keywords: added.map((item) => toNewKeyword(item, now)),
    now,
  });
  assertRestored(added, ids);
  await refreshMarketDemand(tx, added.map(marketIdOf));
  await refreshListingDemand(tx, [app.listingId]);
  const job = await acceptChecks(tx, ctx, appId, added);
  const after = await refreshBudgetWithinQuota(tx, ctx, { unseen });
  await writeAudit(tx, ctx, {
    action: requested.some(({ removed }) => removed) ? 'keywords.restored' : 'keywords.added',
    subject: `app ${appId}`,
    detail: { count: added.length },
  });
  return presentAddition(tx, ctx, { ...outcome, ids, job, after });
}

/** A removed keyword that was deleted since it was read is not replaced by a new one. */
function assertRestored(
  added: readonly RequestedKeywordWithState[],
  ids: ReadonlyMap<number, number>,
): void {
  const isReplaced = (item: RequestedKeywordWithState) =>
    item.requested.removed !== undefined && ids.get(marketIdOf(item)) !== item.requested.removed.id;
  if (added.some(isReplaced)) throw notFound();
}

/**
 * The first check of markets without a result of this workspace today. A market that only others
 * searched today is included and awaited like any other, because the response must not reveal that
 * somebody else tracks it.
 */
async function acceptChecks(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  added: RequestedKeywordWithState[],
): Promise<JobReference | null> {
  const marketIds = added.filter(isAwaited).map(marketIdOf);
  return marketIds.length === 0 ? null : acceptFirstCheck(tx, ctx, { appId, marketIds });
}

function toNewKeyword({ requested, state }: RequestedKeywordWithState, now: Date): NewKeyword {
  const today = utcDayOf(now);
  const isPaused = requested.removed?.paused === true;
  const position = isPaused ? undefined : ownPosition({ state });
  const stored = state.trackingPeriods ?? [];
  // A removal leaves a paused keyword's periods as they are: nothing is tracked at their end.
  const trackingPeriods = isPaused
    ? stored
    : updateTrackingPeriods(stored, {
        now,
        depth: requested.depth,
        hasRankToday: position !== undefined,
      });
  const followed = {
    marketId: state.marketId!,
    depth: requested.depth,
    tags: requested.tags,
    paused: isPaused,
    trackingPeriods,
  };
  if (position === undefined)
    return { ...followed, latestOn: null, latestPosition: null, latestDepth: null, latestAt: null };
  return {
    ...followed,
    latestOn: today,
    latestPosition: position !== null && position <= requested.depth ? position : null,
    latestDepth: Math.min(state.latestRankDepth || state.dayDepth, requested.depth),
    latestAt: new Date(startOfDayMs(today) + state.daySeconds * 1000).toISOString(),
  };
}

async function presentAddition(
  tx: Tx,
  ctx: Ctx,
  outcome: AdditionCost & {
    added: RequestedKeywordWithState[];
    existing: number[];
    ids: Map<number, number>;
    job: JobReference | null;
  },
): Promise<AddedKeywords> {
  const idOf = (item: RequestedKeywordWithState) => outcome.ids.get(marketIdOf(item))!;
  const records = await loadKeywordRecords(tx, ctx, [
    ...outcome.added.map(idOf),
    ...outcome.existing,
  ]);
  const added = records.slice(0, outcome.added.length);
  return {
    added: added.map((record, index) =>
      isAwaited(outcome.added[index]!) ? asAwaited(record) : record,
    ),
    existing: records.slice(outcome.added.length),
    job: outcome.job,
    budgetDelta: budgetDelta(outcome.before, outcome.after, await readCapacity(tx, ctx.settings)),
  };
}

/**
 * A keyword whose first check was just accepted, whether or not another workspace's search has a
 * result already.
 */
function asAwaited(record: KeywordRecord): KeywordRecord {
  return {
    ...record,
    latest: null,
    best: null,
    change1d: unknownChange,
    change7d: unknownChange,
    change30d: unknownChange,
    pending: record.pending === 'not_served' ? 'not_served' : 'queued',
  };
}

const isAwaited = (item: RequestedKeywordWithState): boolean =>
  isSearched(item) && ownPosition(item) === undefined;

/** The app's position today by a search of this workspace; undefined when that is unknown. */
function ownPosition({
  state,
}: Pick<RequestedKeywordWithState, 'state'>): number | null | undefined {
  return state.hasOwnResult && state.dayDepth > 0 ? decodePosition(state.dailyRank) : undefined;
}

const marketIdOf = (item: RequestedKeywordWithState): number => item.state.marketId!;
