import type { Tx } from '#db/database.ts';
import {
  findRetrackedApp,
  listRetrackedListings,
  listMarketOrder,
  lockSchedules,
  scheduleMarkets,
} from '#db/queries/imports/imported-tracking.ts';
import { refreshDemandOf, refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { chunk } from '../exports/export-source.ts';
import { markListingsUrgent } from '#db/queries/jobs/urgency.ts';
import { acceptAppRefresh, acceptFirstCheck } from '#domain/base/jobs/accept-job.ts';

/** Completes an import in one transaction or in many. */
export interface Steps {
  run<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Markets or listings per step. */
  atOnce: number;
  /** The last app with accepted first readings. */
  after: number;
  /** Written with the first readings of an app. */
  reach(tx: Tx, appId: number): Promise<void>;
}

/** Runs everything in the import's own transaction, for a file that fits in a request. */
export function stepsInTransaction(tx: Tx): Steps {
  return {
    run: (work) => work(tx),
    atOnce: Number.MAX_SAFE_INTEGER,
    after: 0,
    reach: async () => {},
  };
}

/**
 * Completes an import, the only part with locks on shared rows: it refreshes the store demand and
 * accepts first readings. Locks follow the order of all writers: markets, then listings. Demand is
 * derived from the workspace's rows and may be refreshed again; readings are accepted once, app by
 * app.
 */
export async function resumeTracking(ctx: Ctx, steps: Steps): Promise<void> {
  const now = ctx.clock.now();
  const markets = await steps.run((tx) => listMarketOrder(tx, ctx.workspaceId));
  for (const part of chunk(markets, steps.atOnce)) {
    await steps.run(async (tx) => {
      await scheduleMarkets(tx, part);
      await refreshMarketDemand(
        tx,
        part.map(({ id }) => id),
      );
    });
  }
  const listingIds = await steps.run((tx) => listRetrackedListings(tx, ctx.workspaceId));
  for (const part of chunk(listingIds, steps.atOnce)) {
    await steps.run(async (tx) => {
      await refreshDemandOf(tx, part);
      await markListingsUrgent(tx, ctx.workspaceId, part, { day: utcDayOf(now), now });
    });
  }
  for (let after: number | undefined = steps.after; after !== undefined;) {
    const last: number = after;
    after = await steps.run((tx) => acceptNext(tx, ctx, last, steps));
  }
}

/** Processes the next app and returns it; undefined after the last. */
async function acceptNext(
  tx: Tx,
  ctx: Ctx,
  after: number,
  steps: Steps,
): Promise<number | undefined> {
  const app = await findRetrackedApp(tx, ctx.workspaceId, after);
  if (app === undefined) return undefined;
  const { appId, listingId, marketIds } = app;
  // A writer that holds them may wait for the lock on the first checks.
  await lockSchedules(tx, app);
  if (marketIds.length > 0) await acceptFirstCheck(tx, ctx, { appId, marketIds });
  await acceptAppRefresh(tx, ctx, { appId, listingId });
  await steps.reach(tx, appId);
  return appId;
}
