import type { MarketToCheck } from '#db/queries/rankings/checks.ts';
import { marginMs } from '../anomalies/report-response.ts';
import { window } from '../anomalies/response-monitor.ts';
import { unpackIds } from './pack-serp.ts';
import { isSmall } from './position.ts';
import type { Positions } from './positions-of.ts';

/**
 * An anomaly reaches back to the first short response that it is found with, and some minutes
 * further. The last minute is for finding it.
 */
const retractableMs = window.ms + marginMs + 60_000;

/**
 * When a check can be evaluated for alerts. One that looks as if results were withheld may become a
 * gap when an anomaly is found, so its alerts wait until none can reach back to it; null for every
 * other check: at once. It waits wherever `lockImplausibleChecks` would take the check.
 */
export function planEvaluation(
  market: Pick<MarketToCheck, 'store' | 'depth' | 'usualResults' | 'tracked' | 'lastSerp'>,
  check: Pick<Positions, 'positions'> & { resultCount: number; checkedAt: Date },
): Date | null {
  return isRetractable(market, check) ? new Date(check.checkedAt.getTime() + retractableMs) : null;
}

function isRetractable(
  { store, depth, usualResults, tracked, lastSerp }: Parameters<typeof planEvaluation>[0],
  { positions, resultCount }: Parameters<typeof planEvaluation>[1],
): boolean {
  if (usualResults === null) return isSmall(store, resultCount, depth);
  if (resultCount < 0.9 * Math.min(usualResults, depth)) return true;
  const missing = tracked.filter((_, index) => positions[index] === null);
  if (missing.length === 0) return false;
  const lastIds = new Set(lastSerp === null ? [] : unpackIds(lastSerp.ids));
  return missing.some(({ id, previousPosition }) => previousPosition !== null || lastIds.has(id));
}
