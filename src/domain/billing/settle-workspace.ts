import {
  listFollowedListings,
  lockChoresOf,
  lockFollowed,
  lockStanding,
  updateHeld,
  updateStanding,
  type HoldableKeyword,
  type StandingRow,
} from '../../db/queries/standings.ts';
import type { Tx } from '../../db/database.ts';
import { markMarketsUrgent } from '../../db/queries/jobs.ts';
import {
  lockListings,
  refreshListingDemand,
  refreshMarketDemand,
} from '../../db/queries/markets.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import type { Services } from '../context.ts';
import { changeTerms } from '../keywords/change-terms.ts';
import { overQuotaTerm, paused, readTerms, withTerm } from '../rankings/terms.ts';
import { isLongOver, marketsBeyond } from './limits.ts';
import { planOf } from './plans.ts';
import { nextStanding } from './states.ts';

type Rules = Pick<Services, 'clock' | 'settings'>;

/** What follows from where a workspace stands and how many markets it has: its standing, whether it rests, since when it is over its limit. */
export function judgeStanding(
  { clock, settings }: Rules,
  row: StandingRow,
  markets: number,
): StandingRow {
  if (!settings.billingEnabled) return { ...row, rests: false, overLimitSince: null };
  const now = clock.now();
  const isOver = row.standing === 'trial' && row.trialEndsAt !== null && row.trialEndsAt <= now;
  const standing = isOver ? nextStanding(row.standing, 'trial_ended') : row.standing;
  const fits = markets <= planOf(row.plan).keywordMarkets;
  return {
    ...row,
    standing,
    rests: standing === 'lapsed',
    overLimitSince: fits ? null : (row.overLimitSince ?? now),
  };
}

/** How many of the markets are held: all of a workspace that the run does not visit, else those beyond the plan, after a week of it. */
export function countHeld(
  { clock }: Rules,
  { suspended, rests, overLimitSince, plan }: StandingRow,
  markets: number,
): number {
  if (!isVisitedBy({ suspended, rests })) return markets;
  return isLongOver({ overLimitSince }, clock.now())
    ? Math.max(0, markets - planOf(plan).keywordMarkets)
    : 0;
}

type HeldKeyword = Pick<HoldableKeyword, 'id' | 'marketId' | 'held' | 'terms'>;

const isVisitedBy = ({ suspended, rests }: Pick<StandingRow, 'suspended' | 'rests'>): boolean =>
  !suspended && !rests;

/**
 * Makes the daily run do what a workspace's state and plan allow, and no more: its keywords' days, and the demand of its markets and
 * listings. `change` is what happens to the workspace, with its markets and listings locked before it. False for one that is gone.
 */
export async function settleWorkspace(
  tx: Tx,
  services: Rules,
  workspaceId: number,
  change?: () => Promise<void>,
): Promise<boolean> {
  const keywords = await lockFollowed(tx, workspaceId);
  const listingIds = await listFollowedListings(tx, workspaceId);
  await lockListings(tx, listingIds);
  await lockChoresOf(tx, listingIds);
  const before = await lockStanding(tx, workspaceId);
  await change?.();
  const row = await lockStanding(tx, workspaceId);
  if (!before || !row) return false;
  const markets = new Set(keywords.map((keyword) => keyword.marketId)).size;
  const after = judgeStanding(services, row, markets);
  await updateStanding(tx, workspaceId, after);
  const isVisited = isVisitedBy(after);
  const held = marketsBeyond(keywords, markets - countHeld(services, after, markets));
  const now = services.clock.now();
  const today = utcDayOf(now);
  const changed = keywords.flatMap((keyword) =>
    holdIf(held.has(keyword.marketId), isVisited, keyword, today),
  );
  if (changed.length === 0 && isVisited === isVisitedBy(before)) return true;
  await updateHeld(tx, workspaceId, changed);
  await refreshMarketDemand(tx, [...new Set(keywords.map((keyword) => keyword.marketId))]);
  // Where nobody had the market searched, today is theirs, and its run may be over.
  const released = changed.filter((keyword) => !keyword.held).map((keyword) => keyword.marketId);
  await markMarketsUrgent(tx, released, { day: today, now });
  await refreshListingDemand(tx, listingIds);
  await refreshBudget(tx, { workspaceId });
  return true;
}

/**
 * The keyword as it is to be written; nothing when it stands so already. A day without the run counts as paused; a day on which
 * others had the market searched while it was held stays theirs.
 */
function holdIf(
  held: boolean,
  isVisited: boolean,
  keyword: HoldableKeyword,
  today: UtcDay,
): HeldKeyword[] {
  const { id, marketId, depth, latestOn, settledOn } = keyword;
  if (!held && !keyword.held) return [];
  const from = settledOn === today ? addDays(today, 1) : today;
  const terms = held
    ? changeTerms(keyword.terms, {
        today,
        depth: isVisited ? overQuotaTerm : paused,
        hasCellToday: latestOn === today,
      })
    : withTerm(readTerms(keyword.terms), from, depth);
  return held === keyword.held && JSON.stringify(terms) === JSON.stringify(keyword.terms)
    ? []
    : [{ id, marketId, held, terms }];
}
