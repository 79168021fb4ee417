import type { z } from 'zod';
import type { rankings } from '../../contract/rankings.ts';
import { addDays, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notChecked, notFoundByte, positionOf } from './cells.ts';
import { listFollowed } from './followed.ts';
import { kindOfChange } from './rank-change.ts';
import { readVisibleRows } from './read-visible.ts';
import { unseen } from './terms.ts';
import { findCheckedAtOrBefore, pairAt, type VisibleRow } from './visible.ts';
import { readDayRange, windowOf, type DayRange } from './window.ts';

export type Distribution = z.input<
  (typeof rankings)['GET /apps/{id}/rankings/distribution']['responses'][200]
>;
type Day = Distribution['items'][number];

/** The day a cell is compared with for entered and left: the checked day before it, at most three days back. */
const reachDays = 3;

/** How many keywords stand where, oldest day first. Paused keywords count as not checked. */
export async function readDistribution(
  ctx: Ctx,
  appId: number,
  query: DayRange & { country?: string | undefined },
): Promise<Distribution> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const window = windowOf(addDays(from, -reachDays), to);
  const rows = await inTenant(ctx, async (tx) =>
    readVisibleRows(tx, window, await listFollowed(tx, ctx, appId, { country: query.country })),
  );
  const items = window.days.slice(reachDays).map((date): Day => ({
    date,
    top1: 0,
    top2to3: 0,
    top4to10: 0,
    top11to50: 0,
    top51to100: 0,
    top101toDepth: 0,
    notFound: 0,
    notChecked: 0,
    entered: 0,
    left: 0,
  }));
  for (const row of rows) countRow(row, window.days, items);
  return { items, nextCursor: null, total: items.length };
}

/** Adds a keyword to each of its days. The items begin `reachDays` after the row does. */
function countRow(row: VisibleRow, days: readonly UtcDay[], items: Day[]): void {
  for (const [item, day] of items.entries()) {
    const index = item + reachDays;
    if (row.terms[index] === unseen) continue;
    day[bandOf(row.cells[index]!)] += 1;
    if (row.cells[index] === notChecked) continue;
    const before = findCheckedAtOrBefore(row, index - 1, reachDays - 1);
    // Only where one of the two is not found is there anything to ask.
    if (before < 0 || (row.cells[before] === notFoundByte) === (row.cells[index] === notFoundByte))
      continue;
    const kind = kindOfChange(pairAt(row, days, before)!, pairAt(row, days, index)!);
    if (kind === 'entered' || kind === 'left') day[kind] += 1;
  }
}

function bandOf(byte: number): Exclude<keyof Day, 'date' | 'entered' | 'left'> {
  const position = positionOf(byte);
  if (position === undefined) return 'notChecked';
  if (position === null) return 'notFound';
  if (position === 1) return 'top1';
  if (position <= 3) return 'top2to3';
  if (position <= 10) return 'top4to10';
  if (position <= 50) return 'top11to50';
  return position <= 100 ? 'top51to100' : 'top101toDepth';
}
