import {
  listFollowedListings,
  lockStoreTasksOf,
  lockTrackedKeywords,
  lockWorkspaceStatus,
  updateHeld,
  updateWorkspaceStatus,
  type HoldableKeyword,
  type WorkspaceStatusRow,
} from '#db/queries/billing/workspace-statuses.ts';
import type { Tx } from '#db/database.ts';
import { skipDigestsBefore } from '#db/queries/digests/digests.ts';
import { markMarketsUrgent } from '#db/queries/jobs/urgency.ts';
import {
  lockListings,
  refreshDemandOf,
  refreshMarketDemand,
} from '#db/queries/rankings/markets.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import type { Services } from '#domain/base/context.ts';
import { updateTrackingPeriods } from '#domain/tracking/keywords/update-tracking-periods.ts';
import {
  overQuotaDepth,
  paused,
  parseTrackingPeriods,
  withTrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { isGracePeriodOver, marketsOverLimit } from '#domain/base/plans/over-limit.ts';
import { planOf } from '#domain/base/plans/plans.ts';
import { statusAt } from './workspace-status.ts';

type Rules = Pick<Services, 'clock' | 'settings'>;

/**
 * Derived from a workspace's plan and its number of markets: its status, whether it takes part in
 * the daily run, and since when it exceeds its limit.
 */
export function evaluateWorkspaceStatus(
  { clock, settings }: Rules,
  row: WorkspaceStatusRow,
  markets: number,
): WorkspaceStatusRow {
  if (!settings.billingEnabled) return { ...row, dailyRunPaused: false, overLimitSince: null };
  const now = clock.now();
  const status = statusAt(row, now);
  const fits = markets <= planOf(row.plan).keywordMarkets;
  return {
    ...row,
    status: status,
    dailyRunPaused: status === 'lapsed',
    overLimitSince: fits ? null : (row.overLimitSince ?? now),
  };
}

/**
 * The number of excluded markets: all when the daily run skips the workspace, otherwise those above
 * the plan's limit, after a week.
 */
export function countHeld(
  { clock }: Rules,
  { suspended, dailyRunPaused, overLimitSince, plan }: WorkspaceStatusRow,
  markets: number,
): number {
  if (!isVisitedBy({ suspended, dailyRunPaused })) return markets;
  return isGracePeriodOver({ overLimitSince }, clock.now())
    ? Math.max(0, markets - planOf(plan).keywordMarkets)
    : 0;
}

type HeldKeyword = Pick<HoldableKeyword, 'id' | 'marketId' | 'held' | 'trackingPeriods'>;

const isVisitedBy = ({
  suspended,
  dailyRunPaused,
}: Pick<WorkspaceStatusRow, 'suspended' | 'dailyRunPaused'>): boolean =>
  !suspended && !dailyRunPaused;

/**
 * Aligns the daily run with a workspace's state and plan: its keywords' tracking periods, and the
 * demand of its markets and listings. `change` is the event, applied under locks of the markets and
 * listings. False for a deleted workspace.
 */
export async function reconcileWorkspace(
  tx: Tx,
  services: Rules,
  workspaceId: number,
  change?: () => Promise<void>,
): Promise<boolean> {
  const keywords = await lockTrackedKeywords(tx, workspaceId);
  const listingIds = await listFollowedListings(tx, workspaceId);
  await lockListings(tx, listingIds);
  await lockStoreTasksOf(tx, listingIds);
  const before = await lockWorkspaceStatus(tx, workspaceId);
  await change?.();
  const row = await lockWorkspaceStatus(tx, workspaceId);
  if (!before || !row) return false;
  const markets = new Set(keywords.map((keyword) => keyword.marketId)).size;
  const after = evaluateWorkspaceStatus(services, row, markets);
  await updateWorkspaceStatus(tx, workspaceId, after);
  const isVisited = isVisitedBy(after);
  const held = marketsOverLimit(keywords, markets - countHeld(services, after, markets));
  const now = services.clock.now();
  const today = utcDayOf(now);
  if (isVisited && !isVisitedBy(before)) await skipDigestsBefore(tx, workspaceId, now);
  const changed = keywords.flatMap((keyword) =>
    holdIf(held.has(keyword.marketId), isVisited, keyword, now),
  );
  if (changed.length === 0 && isVisited === isVisitedBy(before)) return true;
  await updateHeld(tx, workspaceId, changed);
  await refreshMarketDemand(tx, [...new Set(keywords.map((keyword) => keyword.marketId))]);
  // These markets were not searched today, so today counts again, and its run may be over.
  const released = changed.filter((keyword) => !keyword.held).map((keyword) => keyword.marketId);
  await markMarketsUrgent(tx, workspaceId, released, { day: today, now });
  // Only these: those of other workspaces did not change, and are not locked.
  await refreshDemandOf(tx, listingIds);
  await refreshBudget(tx, { workspaceId, clock: services.clock });
  return true;
}

/**
 * The keyword's new tracking periods; undefined when unchanged. A day without a run counts as
 * paused. A day on which the market was searched for others stays theirs.
 */
function holdIf(
  held: boolean,
  isVisited: boolean,
  keyword: HoldableKeyword,
  now: Date,
): HeldKeyword[] {
  const today = utcDayOf(now);
  const { id, marketId, depth, latestOn, completedOn } = keyword;
  if (!held && !keyword.held) return [];
  const from = completedOn === today ? addDays(today, 1) : today;
  const trackingPeriods = held
    ? updateTrackingPeriods(keyword.trackingPeriods, {
        now,
        depth: isVisited ? overQuotaDepth : paused,
        hasRankToday: latestOn === today,
      })
    : withTrackingPeriod(parseTrackingPeriods(keyword.trackingPeriods), from, depth);
  return held === keyword.held &&
    JSON.stringify(trackingPeriods) === JSON.stringify(keyword.trackingPeriods)
    ? []
    : [{ id, marketId, held, trackingPeriods }];
}
