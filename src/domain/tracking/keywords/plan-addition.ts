import type { Tx } from '#db/database.ts';
import type { BudgetRow, HypotheticalKeyword } from '#db/queries/budget/budgets.ts';
import { listRequestedStates, type RequestedState } from '#db/queries/keywords/keyword-writes.ts';
import { findFollowedApp, type FollowedApp } from '#db/queries/keywords/keywords.ts';
import { dayIndexInMonth, monthOf, utcDayOf } from '#lib/dates.ts';
import { readDemandAfter, readDemandBefore } from '#domain/base/budget/price-addition.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { devicesOf } from '#domain/base/device.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { getSettings } from '../settings/get-settings.ts';
import type { KeywordDefaults, RequestedKeyword } from './parse-keywords.ts';

export interface RequestedKeywordWithState {
  requested: RequestedKeyword;
  state: RequestedState;
}

export interface Addition {
  app: FollowedApp;
  /** Each market once, in the order of the request. */
  items: RequestedKeywordWithState[];
}

export interface AdditionCost {
  before: BudgetRow[];
  after: BudgetRow[];
}

export const isNew = ({ state }: RequestedKeywordWithState): boolean =>
  state.keywordId === null || state.archived;

/** A restored keyword that was paused costs nothing. */
export const isSearched = ({ requested }: RequestedKeywordWithState): boolean =>
  requested.removed?.paused !== true;

/** When keywords name the same market, the first wins. */
export function withoutDuplicates(requested: readonly RequestedKeyword[]): RequestedKeyword[] {
  return [
    ...new Map(requested.toReversed().map((keyword) => [marketKey(keyword), keyword])).values(),
  ].toReversed();
}

export function marketKey(name: { phrase: string; country: string; device: string }): string {
  return `${name.country} ${name.device} ${name.phrase}`;
}

/**
 * The effect of adding keywords. Writes nothing; throws not_found, and invalid_request for an
 * archived app.
 */
export async function planAddition(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  requested: readonly RequestedKeyword[],
): Promise<Addition> {
  const app = await getAppForAddition(tx, ctx, appId);
  return { app, items: await readStates(tx, ctx, app, withoutDuplicates(requested)) };
}

/** The cost of the workspace's day before and after. */
export async function costAddition(
  tx: Tx,
  ctx: Ctx,
  { app, items }: Addition,
): Promise<AdditionCost> {
  const added = toHypothetical(app, items.filter(isNew));
  const { before, unseen } = await readDemandBefore(tx, ctx, added);
  const after = added.length > 0 ? await readDemandAfter(tx, ctx, { added, unseen }) : before;
  return { before, after };
}

export function toHypothetical(
  app: FollowedApp,
  added: readonly RequestedKeywordWithState[],
): HypotheticalKeyword[] {
  return added.filter(isSearched).map(({ requested, state }, index) => ({
    listingId: app.listingId,
    store: app.store,
    marketId: state.marketId ?? -1 - index,
    country: requested.country,
    device: requested.device,
    depth: requested.depth,
    seen: state.archived && state.seen,
  }));
}

/** Reads the values that keywords of an app get where a request omits them. */
export async function readKeywordDefaults(ctx: Ctx, appId: number): Promise<KeywordDefaults> {
  const { defaultDepth } = await getSettings(ctx);
  const app = await inTenant(ctx, (tx) => findFollowedApp(tx, ctx.workspaceId, appId));
  return { depth: defaultDepth, devices: devicesOf(app) };
}

/** The app, if keywords may be added to it. */
export async function getAppForAddition(tx: Tx, ctx: Ctx, appId: number): Promise<FollowedApp> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  if (app.archived) throw invalid('id', 'the app is archived; restore it first');
  return app;
}

export async function readStates(
  tx: Tx,
  ctx: Ctx,
  app: FollowedApp,
  requested: RequestedKeyword[],
): Promise<RequestedKeywordWithState[]> {
  const day = utcDayOf(ctx.clock.now());
  const at = { day, month: monthOf(day), dayIndex: dayIndexInMonth(day) };
  const states = await listRequestedStates(tx, ctx.workspaceId, { app, names: requested, ...at });
  return requested.map((keyword, index) => ({ requested: keyword, state: states[index]! }));
}
