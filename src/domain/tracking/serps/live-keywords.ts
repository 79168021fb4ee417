import type { Tx } from '#db/database.ts';
import { findFollowedApp, type FollowedApp } from '#db/queries/rankings/rank-months.ts';
import {
  listLiveKeywords,
  type LiveKeyword as LiveKeywordRow,
  type LiveKeywordFilter,
} from '#db/queries/serps/serp-history.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { positionMaxAgeDays } from '../rankings/position.ts';
import {
  createTrackingPeriodParser,
  trackedDepthOn,
  type TrackingPeriod,
} from '../rankings/tracking-periods.ts';

export interface LiveKeyword extends Omit<LiveKeywordRow, 'trackingPeriods' | 'traffic'> {
  trackingPeriods: readonly TrackingPeriod[];
  /**
   * 0–100; null without a score, or with one of a day when the workspace did not track the market.
   */
  traffic: number | null;
}

/** A keyword on a day. */
export interface Spot {
  keyword: LiveKeyword;
  date: UtcDay;
}

export const toMarketDay = ({ keyword, date }: Spot): { marketId: number; date: UtcDay } => ({
  marketId: keyword.marketId,
  date,
});

/**
 * The live keywords of an app of this workspace, paused ones included, by id. Throws not_found for
 * another workspace's app.
 */
export async function loadLiveKeywords(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  appId: number,
  filter: LiveKeywordFilter = {},
): Promise<{ app: FollowedApp; keywords: LiveKeyword[] }> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now());
  if (!app) throw notFound();
  const rows = await listLiveKeywords(tx, ctx.workspaceId, { ...filter, appId });
  const trackingPeriodsOf = createTrackingPeriodParser();
  return {
    app,
    keywords: rows.map((row) => toLiveKeyword(row, trackingPeriodsOf(row.trackingPeriods))),
  };
}

function toLiveKeyword(
  { traffic, ...row }: LiveKeywordRow,
  trackingPeriods: readonly TrackingPeriod[],
): LiveKeyword {
  return {
    ...row,
    trackingPeriods,
    traffic: traffic && trackedDepthOn(trackingPeriods, traffic.observedOn) ? traffic.score : null,
  };
}

/** The countries of keywords, each once, in the order in which they were added. */
export const countriesOf = (keywords: readonly LiveKeyword[]): string[] => [
  ...new Set(keywords.map(({ country }) => country)),
];

/** Tracked keywords checked within three days, each on the day of its latest rank. */
export function latestSpots(keywords: readonly LiveKeyword[], now: Date): Spot[] {
  const since = addDays(utcDayOf(now), -positionMaxAgeDays);
  return keywords.flatMap((keyword) =>
    keyword.paused || keyword.latestOn === null || keyword.latestOn < since
      ? []
      : [{ keyword, date: keyword.latestOn }],
  );
}
