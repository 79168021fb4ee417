import type { z } from 'zod';
import type { rankings } from '../../contract/rankings.ts';
import { addDays } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { listFollowed, type Followed } from './followed.ts';
import { kindOfChange, placesGained, type ChangeKind } from './rank-change.ts';
import { readVisibleRows } from './read-visible.ts';
import { findCheckedAtOrBefore, pairAt, type VisibleRow } from './visible.ts';
import { readDayRange, windowOf, type DayRange, type DayWindow } from './window.ts';

export type Movers = z.input<(typeof rankings)['GET /apps/{id}/rankings/movers']['responses'][200]>;
type MoverRow = Movers['gained'][number];

/** A side may be this many days older than asked for; across longer silence nothing is compared. */
const reachDays = 3;

/**
 * What moved between the newest cell at `from` and the newest at `to`, each at most three days older. Entered and left
 * only as far as both days looked: a keyword beyond the shallower day's depth is left out. Sorted by what matters most.
 */
export async function readMovers(
  ctx: Ctx,
  appId: number,
  query: DayRange & { country?: string | undefined; limit: number },
): Promise<Movers> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const window = windowOf(addDays(from, -reachDays), to);
  const { keywords, rows } = await inTenant(ctx, async (tx) => {
    const followed = await listFollowed(tx, ctx, appId, { country: query.country });
    return { keywords: followed, rows: await readVisibleRows(tx, window, followed) };
  });
  const moved: Record<ChangeKind, MoverRow[]> = {
    gained: [],
    lost: [],
    same: [],
    entered: [],
    left: [],
    unknown: [],
  };
  for (const [index, row] of rows.entries()) {
    const mover = compareSides(window, row, keywords[index]!);
    if (mover) moved[kindOfChange(mover.from, mover.to)].push(mover);
  }
  const pick = (list: MoverRow[], weight: (row: MoverRow) => number) =>
    list
      .toSorted((a, b) => weight(a) - weight(b) || a.keywordId - b.keywordId)
      .slice(0, query.limit);
  return {
    from,
    to,
    gained: pick(moved.gained, (row) => -(row.change ?? 0)),
    lost: pick(moved.lost, (row) => row.change ?? 0),
    entered: pick(moved.entered, (row) => row.to.position ?? 0),
    left: pick(moved.left, (row) => row.from.position ?? 0),
  };
}

function compareSides(window: DayWindow, row: VisibleRow, keyword: Followed): MoverRow | null {
  const fromIndex = findCheckedAtOrBefore(row, reachDays, reachDays);
  const toIndex = findCheckedAtOrBefore(row, window.days.length - 1, reachDays);
  const from = pairAt(row, window.days, fromIndex);
  const to = pairAt(row, window.days, toIndex);
  if (!from || !to || fromIndex >= toIndex) return null;
  return {
    keywordId: keyword.id,
    phrase: keyword.phrase,
    country: keyword.country,
    from,
    to,
    change: placesGained(from, to),
  };
}
