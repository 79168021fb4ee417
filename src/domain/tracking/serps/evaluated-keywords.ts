import type { Tx } from '#db/database.ts';
import { findFollowedApp, type FollowedApp } from '#db/queries/rankings/rank-months.ts';
import {
  listEvaluatedKeywords,
  type EvaluatedKeyword as EvaluatedRow,
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

export interface EvaluatedKeyword extends Omit<EvaluatedRow, 'trackingPeriods' | 'traffic'> {
  trackingPeriods: readonly TrackingPeriod[];
  /**
   * 0–100; null without a score, or with one of a day when the workspace did not track the market.
   */
  traffic: number | null;
}

/** A keyword on a day. */
export interface Spot {
  keyword: EvaluatedKeyword;
  date: UtcDay;
}

/**
 * The live keywords of an app of this workspace, paused ones included, by id. Throws not_found for
 * another workspace's app.
 */
export async function loadEvaluatedKeywords(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock'>,
  appId: number,
  filter: { country?: string | undefined; keywordId?: number | undefined } = {},
): Promise<{ app: FollowedApp; keywords: EvaluatedKeyword[] }> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now());
  if (!app) throw notFound();
  const rows = await listEvaluatedKeywords(tx, ctx.workspaceId, { appId, ...filter });
  const trackingPeriodsOf = createTrackingPeriodParser();
  return {
    app,
    keywords: rows.map((row) => toEvaluated(row, trackingPeriodsOf(row.trackingPeriods))),
  };
}

function toEvaluated(
  { traffic, ...row }: EvaluatedRow,
  trackingPeriods: readonly TrackingPeriod[],
): EvaluatedKeyword {
  return {
    ...row,
    trackingPeriods,
    traffic: traffic && trackedDepthOn(trackingPeriods, traffic.observedOn) ? traffic.score : null,
  };
}

/** Tracked keywords checked within three days, each on the day of its latest rank. */
export function currentPositions(keywords: readonly EvaluatedKeyword[], now: Date): Spot[] {
  const since = addDays(utcDayOf(now), -positionMaxAgeDays);
  return keywords.flatMap((keyword) =>
    keyword.paused || keyword.latestOn === null || keyword.latestOn < since
      ? []
      : [{ keyword, date: keyword.latestOn }],
  );
}
