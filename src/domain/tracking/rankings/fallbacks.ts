import type { z } from 'zod';
import type { dailyRank } from '#contract/rankings.ts';
import type { StoredFallback } from '#db/queries/rankings/market-gaps.ts';
import type { UtcDay } from '#lib/dates.ts';
import { isFollowed, toOwnInstant } from './tracking-periods.ts';
import type { VisibleRow } from './visible-rows.ts';

type FallbackRank = Extract<z.input<typeof dailyRank>, { state: 'not_checked' }>['fallback'];

/** Checks by other providers on days without a check, by market and day. */
export class Fallbacks {
  private readonly checks: Map<string, StoredFallback>;

  constructor(checks: readonly StoredFallback[]) {
    this.checks = new Map(checks.map((check) => [`${check.marketId} ${check.date}`, check]));
  }

  /** Null without one, for a listing that was not tracked then, and for a day without tracking. */
  find(
    {
      marketId,
      listingId,
      trackingPeriods,
    }: Pick<VisibleRow, 'marketId' | 'listingId' | 'trackingPeriods'>,
    { date, trackedDepth }: { date: UtcDay; trackedDepth: number },
  ): FallbackRank {
    const check = this.checks.get(`${marketId} ${date}`);
    const index = check?.listingIds.indexOf(listingId) ?? -1;
    if (check === undefined || index < 0 || !isFollowed(trackedDepth)) return null;
    const depth = Math.min(check.depth, trackedDepth);
    const position = check.positions[index] ?? null;
    return {
      provider: check.provider,
      position: position !== null && position <= depth ? position : null,
      depth,
      checkedAt: toOwnInstant(trackingPeriods, check.checkedAt).toISOString(),
    };
  }
}
