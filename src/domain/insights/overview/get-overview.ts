import type { z } from 'zod';
import type { overview } from '#contract/apps.ts';
import { countActions } from '#db/queries/actions/actions.ts';
import {
  findNewestRun,
  listOverviewKeywords,
  type OverviewKeyword,
} from '#db/queries/overview/overview.ts';
import { findFollowedApp } from '#db/queries/rankings/rank-months.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import type { MarketFilter } from '#domain/tracking/rankings/followed-keywords.ts';
import { positionMaxAgeDays } from '#domain/tracking/rankings/position.ts';
import type { RankChange } from '#domain/tracking/rankings/rank-change.ts';
import { loadRecentRanks } from '#domain/tracking/rankings/recent-ranks.ts';

export type Overview = z.input<typeof overview>;
type Move = Overview['movers']['days1'];

/**
 * An app's overview of today, in one country or in all, on one device or on all, without paused
 * keywords. Throws not_found.
 */
export async function getOverview(
  ctx: Ctx,
  appId: number,
  filter: MarketFilter,
): Promise<Overview> {
  const today = utcDayOf(ctx.clock.now());
  const { country = null, device = null } = filter;
  const since = addDays(today, -positionMaxAgeDays);
  const isCurrent = ({ latestOn }: OverviewKeyword) => latestOn !== null && latestOn >= since;
  const { keywords, recent, openActions, lastRun } = await inTenant(ctx, async (tx) => {
    if (!(await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now()))) throw notFound();
    const current = await listOverviewKeywords(tx, ctx.workspaceId, { appId, country, device });
    const open = await countActions(tx, ctx.workspaceId, { appId, statuses: ['open'] });
    return {
      keywords: current,
      recent: await loadRecentRanks(tx, current.filter(isCurrent), today),
      openActions: open,
      lastRun: await findNewestRun(tx, today),
    };
  });
  const changes = [...recent.values()];
  return {
    appId,
    country,
    device,
    date: today,
    tracked: keywords.length,
    ...countPositions(keywords, keywords.filter(isCurrent)),
    movers: {
      days1: countMoves(changes.map((ranks) => ranks.change1d)),
      days7: countMoves(changes.map((ranks) => ranks.change7d)),
      days30: countMoves(changes.map((ranks) => ranks.change30d)),
    },
    openActions,
    lastRun,
    lastCheckedAt: newestInstant(keywords),
  };
}

function countPositions(keywords: readonly OverviewKeyword[], checked: readonly OverviewKeyword[]) {
  const days = checked.map((keyword) => keyword.latestOn!).toSorted();
  const newest = days.at(-1);
  const positions = checked.flatMap((keyword) => keyword.latestPosition ?? []);
  const within = (top: number) => positions.filter((position) => position <= top).length;
  const sum = positions.reduce((total, position) => total + position, 0);
  return {
    ranked: positions.length,
    notFound: checked.length - positions.length,
    notChecked: keywords.length - checked.length,
    top1: within(1),
    top3: within(3),
    top10: within(10),
    top50: within(50),
    averagePosition:
      positions.length === 0 ? null : Math.round((sum / positions.length) * 100) / 100,
    newestCheck:
      newest === undefined
        ? null
        : { date: newest, older: days.filter((day) => day < newest).length },
  };
}

function countMoves(changes: readonly RankChange[]): Move {
  const count = (kind: RankChange['kind']) =>
    changes.filter((change) => change.kind === kind).length;
  return {
    gained: count('gained'),
    lost: count('lost'),
    unchanged: count('same'),
    entered: count('entered'),
    left: count('left'),
    comparable: changes.length - count('unknown'),
  };
}

function newestInstant(keywords: readonly OverviewKeyword[]): string | null {
  const newest = keywords.reduce(
    (latest, keyword) => Math.max(latest, keyword.latestAt?.getTime() ?? 0),
    0,
  );
  return newest === 0 ? null : new Date(newest).toISOString();
}
