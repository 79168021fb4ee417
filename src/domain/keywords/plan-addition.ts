import type { Tx } from '../../db/database.ts';
import { listDemand, type BudgetRow } from '../../db/queries/budgets.ts';
import { listWantedStates, type WantedState } from '../../db/queries/keyword-changes.ts';
import { findFollowedApp, type FollowedApp } from '../../db/queries/keywords.ts';
import { dayIndexInMonth, monthOf, utcDayOf } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import type { WantedKeyword } from './read-wanted.ts';

export interface WantedWithState {
  wanted: WantedKeyword;
  state: WantedState;
}

export interface Addition {
  app: FollowedApp;
  /** Each market once, in the order of the request. */
  items: WantedWithState[];
}

export interface AdditionCost {
  before: BudgetRow[];
  after: BudgetRow[];
}

export const isNew = ({ state }: WantedWithState): boolean =>
  state.keywordId === null || state.archived;

/** Of keywords that name one market the first stands. */
export function withoutDoubles(wanted: readonly WantedKeyword[]): WantedKeyword[] {
  return [
    ...new Map(wanted.toReversed().map((keyword) => [marketKey(keyword), keyword])).values(),
  ].toReversed();
}

export function marketKey(name: { phrase: string; country: string }): string {
  return `${name.country} ${name.phrase}`;
}

/** What adding would do. Writes nothing; throws not_found, and invalid_request for an archived app. */
export async function planAddition(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  wanted: readonly WantedKeyword[],
): Promise<Addition> {
  const app = await getGrowingApp(tx, ctx, appId);
  return { app, items: await readStates(tx, ctx, app, withoutDoubles(wanted)) };
}

/** What the workspace's day costs now, and what it would cost; by the very statement that the budget is kept with. */
export async function costAddition(
  tx: Tx,
  ctx: Ctx,
  { app, items }: Addition,
): Promise<AdditionCost> {
  const before = await listDemand(tx, ctx.workspaceId);
  const added = items.filter(isNew).map(({ wanted, state }, index) => ({
    listingId: app.listingId,
    store: app.store,
    marketId: state.marketId ?? -1 - index,
    country: wanted.country,
    depth: wanted.depth,
    seen: state.archived && state.seen,
  }));
  return {
    before,
    after: added.length > 0 ? await listDemand(tx, ctx.workspaceId, added) : before,
  };
}

/** The app, if keywords may be added to it. */
export async function getGrowingApp(tx: Tx, ctx: Ctx, appId: number): Promise<FollowedApp> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId);
  if (!app) throw notFound();
  if (app.archived) throw invalid('id', 'the app is archived; restore it first');
  return app;
}

export async function readStates(
  tx: Tx,
  ctx: Ctx,
  app: FollowedApp,
  wanted: WantedKeyword[],
): Promise<WantedWithState[]> {
  const day = utcDayOf(ctx.clock.now());
  const at = { day, month: monthOf(day), dayIndex: dayIndexInMonth(day) };
  const states = await listWantedStates(tx, ctx.workspaceId, { app, names: wanted, ...at });
  return wanted.map((keyword, index) => ({ wanted: keyword, state: states[index]! }));
}
