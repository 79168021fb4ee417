import type { z } from 'zod';
import type { keywords } from '../../contract/keywords.ts';
import type { Tx } from '../../db/database.ts';
import { listDemand } from '../../db/queries/budgets.ts';
import { upsertKeywords, type NewKeyword } from '../../db/queries/keyword-changes.ts';
import {
  insertUnknownMarkets,
  refreshListingDemand,
  refreshMarketDemand,
  upsertSchedules,
} from '../../db/queries/markets.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { budgetDelta } from '../budget/cost.ts';
import { capacityOf } from '../budget/read-budget.ts';
import { refreshBudgetInPlan, requireRoomInPlan } from '../budget/require-room.ts';
import { inTenant, type Ctx } from '../context.ts';
import { acceptFirstCheck, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import { positionOf } from '../rankings/cells.ts';
import { getSettings } from '../settings/read-settings.ts';
import { changeTerms } from './change-terms.ts';
import { readKeywordRecords, unknownChange, type KeywordRecord } from './keyword-record.ts';
import {
  costAddition,
  getGrowingApp,
  isNew,
  planAddition,
  readStates,
  withoutDoubles,
  type AdditionCost,
  type WantedWithState,
} from './plan-addition.ts';
import { readWanted, type AddKeywordsBody, type WantedKeyword } from './read-wanted.ts';

export type AddedKeywords = z.input<
  (typeof keywords)['POST /apps/{id}/keywords']['responses'][201]
>;

/**
 * Follows an app in up to 200 markets, all or nothing: keywords, markets, schedule, budget and the job of the first check are
 * one transaction. What is followed already comes back as existing; what was deleted comes back with its history.
 */
export async function addKeywords(
  ctx: Ctx,
  appId: number,
  body: AddKeywordsBody,
): Promise<AddedKeywords> {
  return addWanted(ctx, appId, readWanted(body, (await getSettings(ctx)).defaultDepth));
}

/** The same for keywords that are normalised and within their limits already, however many. */
export async function addWanted(
  ctx: Ctx,
  appId: number,
  wanted: WantedKeyword[],
): Promise<AddedKeywords> {
  const plan = await inTenant(ctx, async (tx) => {
    const addition = await planAddition(tx, ctx, appId, wanted);
    if (ctx.settings.billingEnabled)
      await requireRoomInPlan(tx, ctx, await costAddition(tx, ctx, addition));
    return addition;
  });
  if (plan.items.some(isNew)) await requireHeadroom(ctx);
  return inTenant(ctx, (tx) => followWanted(tx, ctx, appId, withoutDoubles(wanted)));
}

/** The locks are taken in one order by all writers: markets, schedule, listing, and the workspace's budget last. */
export async function followWanted(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  wanted: WantedKeyword[],
): Promise<AddedKeywords> {
  const now = ctx.clock.now();
  const app = await getGrowingApp(tx, ctx, appId);
  const before = await listDemand(tx, ctx.workspaceId);
  await insertUnknownMarkets(tx, app.store, wanted);
  await upsertSchedules(
    tx,
    app.store,
    wanted,
    before.find((row) => row.store === app.store)?.markets ?? 0,
  );
  const items = await readStates(tx, ctx, app, wanted);
  const added = items.filter(isNew);
  const existing = items.filter((item) => !isNew(item)).map((item) => item.state.keywordId!);
  const outcome = {
    added,
    existing,
    ids: new Map<number, number>(),
    job: null,
    before,
    after: before,
  };
  if (added.length === 0) return answer(tx, ctx, outcome);
  const ids = await upsertKeywords(tx, ctx.workspaceId, {
    appId,
    keywords: added.map((item) => toNewKeyword(item, utcDayOf(now))),
    now,
  });
  await refreshMarketDemand(tx, added.map(marketIdOf));
  await refreshListingDemand(tx, [app.listingId]);
  const job = await acceptChecks(tx, ctx, appId, added);
  const after = await refreshBudgetInPlan(tx, ctx);
  await writeAudit(tx, ctx, {
    action: 'keywords.added',
    subject: `app ${appId}`,
    detail: { count: added.length },
  });
  return answer(tx, ctx, { ...outcome, ids, job, after });
}

/**
 * The first check of what this workspace has no answer for today. A market that only others have asked today is among
 * them and is waited for like any other: the answer must not tell that somebody else follows it.
 */
async function acceptChecks(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  added: WantedWithState[],
): Promise<JobReference | null> {
  const marketIds = added.filter((item) => ownPosition(item) === undefined).map(marketIdOf);
  return marketIds.length === 0 ? null : acceptFirstCheck(tx, ctx, { appId, marketIds });
}

function toNewKeyword({ wanted, state }: WantedWithState, today: UtcDay): NewKeyword {
  const position = ownPosition({ state });
  const terms = changeTerms(state.terms ?? [], {
    today,
    depth: wanted.depth,
    hasCellToday: position !== undefined,
  });
  const followed = { marketId: state.marketId!, depth: wanted.depth, tags: wanted.tags, terms };
  if (position === undefined)
    return { ...followed, latestOn: null, latestPosition: null, latestDepth: null, latestAt: null };
  return {
    ...followed,
    latestOn: today,
    latestPosition: position !== null && position <= wanted.depth ? position : null,
    latestDepth: Math.min(state.cellDepth || state.dayDepth, wanted.depth),
    latestAt: new Date(startOfDayMs(today) + state.daySeconds * 1000).toISOString(),
  };
}

async function answer(
  tx: Tx,
  ctx: Ctx,
  outcome: AdditionCost & {
    added: WantedWithState[];
    existing: number[];
    ids: Map<number, number>;
    job: JobReference | null;
  },
): Promise<AddedKeywords> {
  const idOf = (item: WantedWithState) => outcome.ids.get(marketIdOf(item))!;
  const records = await readKeywordRecords(tx, ctx, [
    ...outcome.added.map(idOf),
    ...outcome.existing,
  ]);
  const added = records.slice(0, outcome.added.length);
  return {
    added: added.map((record, index) =>
      ownPosition(outcome.added[index]!) === undefined ? asAwaited(record) : record,
    ),
    existing: records.slice(outcome.added.length),
    job: outcome.job,
    budgetDelta: budgetDelta(outcome.before, outcome.after, capacityOf(ctx.settings)),
  };
}

/** A keyword whose first check was just accepted, whether or not somebody else's search has answered it already. */
function asAwaited(record: KeywordRecord): KeywordRecord {
  return {
    ...record,
    latest: null,
    best: null,
    change1d: unknownChange,
    change7d: unknownChange,
    change30d: unknownChange,
    pending: 'queued',
  };
}

/** Where the app stands today by a search of this workspace's own; undefined where that says nothing of it. */
function ownPosition({ state }: Pick<WantedWithState, 'state'>): number | null | undefined {
  return state.ownAnswer && state.dayDepth > 0 ? positionOf(state.cell) : undefined;
}

const marketIdOf = (item: WantedWithState): number => item.state.marketId!;
