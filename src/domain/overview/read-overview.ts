import type { z } from 'zod';
import type { overview } from '../../contract/apps.ts';
import { countActions } from '../../db/queries/actions.ts';
import {
  findNewestRun,
  listStandingKeywords,
  type StandingKeyword,
} from '../../db/queries/overview.ts';
import { findFollowedApp } from '../../db/queries/rank-months.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import type { RankChange } from '../rankings/rank-change.ts';
import { recentCells } from '../rankings/recent.ts';

export type Overview = z.input<typeof overview>;
type Move = Overview['movers']['days1'];

/** A newest cell older than this says nothing about how the app stands. */
export const standingDays = 3;

/** How an app of this workspace stands today, in one country or in all; paused keywords are left out. Throws not_found. */
export async function readOverview(
  ctx: Ctx,
  appId: number,
  filter: { country?: string | undefined },
): Promise<Overview> {
  const today = utcDayOf(ctx.clock.now());
  const country = filter.country ?? null;
  const { keywords, recent, openActions, lastRun } = await inTenant(ctx, async (tx) => {
    if (!(await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now()))) throw notFound();
    const standing = await listStandingKeywords(tx, ctx.workspaceId, appId, country);
    const open = await countActions(tx, ctx.workspaceId, { appId, statuses: ['open'] });
    return {
      keywords: standing,
      recent: await recentCells(tx, standing, today),
      openActions: open,
      lastRun: await findNewestRun(tx),
    };
  });
  const changes = [...recent.values()];
  return {
    appId,
    country,
    date: today,
    tracked: keywords.length,
    ...countPlaces(keywords, addDays(today, -standingDays)),
    movers: {
      days1: countMoves(changes.map((cells) => cells.change1d)),
      days7: countMoves(changes.map((cells) => cells.change7d)),
      days30: countMoves(changes.map((cells) => cells.change30d)),
    },
    openActions,
    lastRun,
    lastCheckedAt: newestInstant(keywords),
  };
}

function countPlaces(keywords: readonly StandingKeyword[], since: UtcDay) {
  const standing = keywords.filter(
    (keyword) => keyword.latestOn !== null && keyword.latestOn >= since,
  );
  const positions = standing.flatMap((keyword) => keyword.latestPosition ?? []);
  const within = (place: number) => positions.filter((position) => position <= place).length;
  const sum = positions.reduce((total, position) => total + position, 0);
  return {
    ranked: positions.length,
    notFound: standing.length - positions.length,
    notChecked: keywords.length - standing.length,
    top1: within(1),
    top3: within(3),
    top10: within(10),
    top50: within(50),
    averagePosition:
      positions.length === 0 ? null : Math.round((sum / positions.length) * 100) / 100,
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

function newestInstant(keywords: readonly StandingKeyword[]): string | null {
  const newest = keywords.reduce(
    (latest, keyword) => Math.max(latest, keyword.latestAt?.getTime() ?? 0),
    0,
  );
  return newest === 0 ? null : new Date(newest).toISOString();
}
