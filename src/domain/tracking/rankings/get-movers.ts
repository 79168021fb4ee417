import type { z } from 'zod';
import type { rankings } from '#contract/rankings.ts';
import { addDays, daysBetween } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import {
  listFollowed,
  marketFilterOf,
  type Followed,
  type MarketFilter,
} from './followed-keywords.ts';
import { loadWordLocator } from '../listings/locate-words.ts';
import { loadAppSegments } from './provider-series.ts';
import { classifyChange, positionsGained, type ChangeKind } from './rank-change.ts';
import { loadVisibleRows } from './load-visible-rows.ts';
import { loadResultCounts } from './result-counts.ts';
import {
  findCheckedAtOrBefore,
  isSameProvider,
  pairAt,
  type RankPair,
  type VisibleRow,
} from './visible-rows.ts';
import { parseDayRange, windowOf, type DayRange, type DayWindow } from '#domain/base/day-window.ts';

export type Movers = z.input<(typeof rankings)['GET /apps/{id}/rankings/movers']['responses'][200]>;
type MoverRow = Movers['gained'][number];
type UnlocatedRow = Omit<MoverRow, 'words'>;

/** A side may be this many days older than requested. Nothing is compared across longer gaps. */
const lookbackDays = 3;

/**
 * Compares the latest rank at `from` with the latest at `to`, each at most three days older.
 * Entries and exits count only within the depth of both days, so a keyword below the shallower
 * depth is omitted. Sorted by importance.
 */
export async function getMovers(
  ctx: Ctx,
  appId: number,
  query: DayRange & MarketFilter & { limit: number },
): Promise<Movers> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const window = windowOf(addDays(from, -lookbackDays), to);
  return inTenant(ctx, async (tx) => {
    const keywords = await listFollowed(tx, ctx, appId, marketFilterOf(query));
    const rows = await loadVisibleRows(tx, window, keywords);
    const { moved, compared, notComparable } = pickMovers(window, keywords, rows, query.limit);
    const shown = Object.values(moved).flat();
    const rowOf = new Map(rows.map((row) => [row.keywordId, row]));
    const spotOf = (keywordId: number, { date }: RankPair) => ({
      marketId: rowOf.get(keywordId)!.marketId,
      date,
    });
    const isImported = (keywordId: number, { date }: RankPair) =>
      rowOf.get(keywordId)!.imported?.has(daysBetween(window.from, date));
    const results = await loadResultCounts(
      tx,
      shown.flatMap(({ keywordId, from: earlier, to: later }) =>
        [earlier, later]
          .filter((pair) => pair.position === null && !isImported(keywordId, pair))
          .map((pair) => spotOf(keywordId, pair)),
      ),
    );
    for (const row of shown)
      for (const pair of [row.from, row.to])
        Object.assign(pair, results.of(spotOf(row.keywordId, pair), pair));
    const markets = shown.map(({ country }) => ({ appId, country }));
    const locate = await loadWordLocator(tx, ctx, markets);
    const located = (list: readonly UnlocatedRow[]): MoverRow[] =>
      list.map((row) => ({ ...row, words: locate({ appId, ...row }) }));
    const { gained, lost, entered, left } = moved;
    return {
      from,
      to,
      gained: located(gained),
      lost: located(lost),
      entered: located(entered),
      left: located(left),
      compared,
      notComparable,
      segments: await loadAppSegments(tx, appId, window),
    };
  });
}

interface PickedMovers extends Pick<Movers, 'compared' | 'notComparable'> {
  moved: Record<'gained' | 'lost' | 'entered' | 'left', UnlocatedRow[]>;
}

function pickMovers(
  window: DayWindow,
  keywords: readonly Followed[],
  rows: readonly VisibleRow[],
  limit: number,
): PickedMovers {
  const moved: Record<ChangeKind, UnlocatedRow[]> = {
    gained: [],
    lost: [],
    same: [],
    entered: [],
    left: [],
    unknown: [],
  };
  let notComparable = 0;
  for (const [index, row] of rows.entries()) {
    const mover = compareSides(window, row, keywords[index]!);
    if (mover === 'notComparable') notComparable += 1;
    else if (mover) moved[classifyChange(mover.from, mover.to)].push(mover);
  }
  const pick = (list: UnlocatedRow[], weight: (row: UnlocatedRow) => number) =>
    list.toSorted((a, b) => weight(a) - weight(b) || a.keywordId - b.keywordId).slice(0, limit);
  return {
    moved: {
      gained: pick(moved.gained, (row) => -(row.change ?? 0)),
      lost: pick(moved.lost, (row) => row.change ?? 0),
      entered: pick(moved.entered, (row) => row.to.position ?? 0),
      left: pick(moved.left, (row) => row.from.position ?? 0),
    },
    compared: Object.values(moved).flat().length,
    notComparable,
  };
}

/** Null without a rank on both sides. */
function compareSides(
  window: DayWindow,
  row: VisibleRow,
  keyword: Followed,
): UnlocatedRow | 'notComparable' | null {
  const fromIndex = findCheckedAtOrBefore(row, lookbackDays, lookbackDays);
  const toIndex = findCheckedAtOrBefore(row, window.days.length - 1, lookbackDays);
  const from = pairAt(row, window.days, fromIndex);
  const to = pairAt(row, window.days, toIndex);
  if (!from || !to || fromIndex >= toIndex) return null;
  if (!isSameProvider(row, fromIndex, toIndex)) return 'notComparable';
  return {
    keywordId: keyword.id,
    phrase: keyword.phrase,
    country: keyword.country,
    device: keyword.device,
    from,
    to,
    change: positionsGained(from, to),
  };
}
