import type { Tx } from '#db/database.ts';
import {
  findFollowedApp,
  findFollowedKeyword,
  listFollowedKeywords,
  type KeywordFilter,
} from '#db/queries/rankings/rank-months.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { notFound } from '#domain/base/errors.ts';
import { createTrackingPeriodParser, parseTrackingPeriods } from './tracking-periods.ts';
import type { FollowedMarket } from './visible-rows.ts';

export interface Followed extends FollowedMarket {
  appId: number;
  store: StoreName;
  phrase: string;
  country: string;
  device: string;
}

export type MarketFilter = Pick<KeywordFilter, 'country' | 'device'>;

/** The part of a query that selects keywords by country and device. */
export const marketFilterOf = ({ country, device }: MarketFilter): MarketFilter => ({
  country,
  device,
});

/**
 * The live keywords of an app of this workspace, by id. Throws not_found for another workspace's
 * app.
 */
export async function listFollowed(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  appId: number,
  filter: KeywordFilter,
): Promise<Followed[]> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now());
  if (!app) throw notFound();
  const trackingPeriodsOf = createTrackingPeriodParser();
  return (await listFollowedKeywords(tx, app, filter)).map((row) => ({
    ...row,
    trackingPeriods: trackingPeriodsOf(row.trackingPeriods),
  }));
}

/** A live keyword of this workspace. Throws not_found. */
export async function getFollowed(tx: Tx, ctx: Ctx, keywordId: number): Promise<Followed> {
  const row = await findFollowedKeyword(tx, ctx.workspaceId, keywordId, ctx.clock.now());
  if (!row) throw notFound();
  return { ...row, trackingPeriods: parseTrackingPeriods(row.trackingPeriods) };
}
