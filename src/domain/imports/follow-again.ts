import type { Tx } from '../../db/database.ts';
import {
  findFollowedAgain,
  listListingsAgain,
  listMarketTurns,
  markAllUrgent,
  scheduleMarkets,
} from '../../db/queries/imported-following.ts';
import { refreshDemandOf, refreshMarketDemand } from '../../db/queries/markets.ts';
import { utcDayOf } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { chunk } from '../exports/export-source.ts';
import { acceptAppRefresh, acceptFirstCheck } from '../jobs/accept.ts';

/** How the end of an import goes on: all in one transaction, or in many. */
export interface Steps {
  run<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Markets or listings of a step. */
  atOnce: number;
  /** The app up to which first readings are accepted already. */
  after: number;
  /** Written with the readings of an app. */
  reach(tx: Tx, appId: number): Promise<void>;
}

/** All of it in the import's own transaction: for a file that fits into a request. */
export function stepsWithin(tx: Tx): Steps {
  return {
    run: (work) => work(tx),
    atOnce: Number.MAX_SAFE_INTEGER,
    after: 0,
    reach: async () => {},
  };
}

/**
 * The end of an import, and its only part that locks what others use: the stores are asked for what was restored, and the first
 * readings are accepted. Locks are taken in the order of all writers: markets, then listings. What the stores are asked for
 * follows from the workspace's rows and may be written again; readings are accepted once, app by app.
 */
export async function followAgain(ctx: Ctx, steps: Steps): Promise<void> {
  const now = ctx.clock.now();
  const markets = await steps.run((tx) => listMarketTurns(tx, ctx.workspaceId));
  for (const part of chunk(markets, steps.atOnce)) {
    await steps.run(async (tx) => {
      await scheduleMarkets(tx, part);
      await refreshMarketDemand(
        tx,
        part.map(({ id }) => id),
      );
    });
  }
  const listingIds = await steps.run((tx) => listListingsAgain(tx, ctx.workspaceId));
  for (const part of chunk(listingIds, steps.atOnce)) {
    await steps.run(async (tx) => {
      await refreshDemandOf(tx, part);
      await markAllUrgent(tx, part, utcDayOf(now), now);
    });
  }
  for (let after: number | undefined = steps.after; after !== undefined;) {
    const last: number = after;
    after = await steps.run((tx) => acceptNext(tx, ctx, last, steps));
  }
}

/** Of the next app, which it answers with; undefined after the last. */
async function acceptNext(
  tx: Tx,
  ctx: Ctx,
  after: number,
  steps: Steps,
): Promise<number | undefined> {
  const app = await findFollowedAgain(tx, ctx.workspaceId, after);
  if (app === undefined) return undefined;
  const { appId, listingId, marketIds } = app;
  if (marketIds.length > 0) await acceptFirstCheck(tx, ctx, { appId, marketIds });
  await acceptAppRefresh(tx, ctx, { appId, listingId });
  await steps.reach(tx, appId);
  return appId;
}
