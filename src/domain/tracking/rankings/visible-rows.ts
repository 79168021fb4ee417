import type { RankMonths } from '#db/queries/rankings/rank-months.ts';
import type { UtcDay } from '#lib/dates.ts';
import {
  daysPerMonth,
  maxPosition,
  notChecked,
  notFoundByte,
  decodePosition,
} from './daily-rank-codec.ts';
import { isAwaited, isFollowed, trackedDepths, type TrackingPeriod } from './tracking-periods.ts';
import type { DayWindow, MonthPart } from '#domain/base/day-window.ts';

/** An app in a market, with the fields that loading its ranks needs. */
export interface FollowedMarket {
  id: number;
  listingId: number;
  marketId: number;
  trackingPeriods: readonly TrackingPeriod[];
}

/** The visible ranks of a keyword in a window. Every array has one entry per day. */
export interface VisibleRow {
  keywordId: number;
  listingId: number;
  marketId: number;
  trackingPeriods: readonly TrackingPeriod[];
  /** As in the packed months: 0 not checked, 1–200, 255 not found. */
  dailyRanks: Uint8Array;
  /** Examined depths as far as this workspace tracks them; 0 where the day was not checked. */
  depths: Uint8Array;
  /**
   * The tracked depth, `paused`, `overQuota`, `awaitedByte`, or `unseen` before the keyword
   * existed. Keywords with equal periods share it.
   */
  trackedDepths: Readonly<Uint8Array>;
  /** Days with an imported rank: the seconds from midnight to its check, and its provider. */
  imported?: Map<number, { seconds: number; provider: string | null }>;
  /** The provider of each day, as a number; absent where all days have the same one. */
  providers?: Uint8Array;
}

export interface RankPair {
  date: UtcDay;
  position: number | null;
  depth: number;
}

const idBytes = 4;
const recordBytes = idBytes + 2 * daysPerMonth;

/**
 * Unpacks months over a window, cut to each keyword's tracking periods: nothing from before it
 * existed or while it was paused, and nothing deeper than tracked. A shared market thus reveals
 * nothing about other workspaces.
 */
export function visibleRows(
  window: DayWindow,
  keywords: readonly FollowedMarket[],
  months: readonly RankMonths[],
): VisibleRow[] {
  const rows = makeRows(window, keywords);
  const parts = new Map(window.parts.map((part) => [part.month, part]));
  const { ofListing, before } = indexByListing(keywords);
  for (const { listingId, month, records } of months) {
    const part = parts.get(month)!;
    const ofMarket = ofListing.get(listingId);
    for (let at = 0; at < records.length; at += recordBytes) {
      const last = ofMarket?.get(records.readInt32BE(at)) ?? -1;
      for (let index = last; index >= 0; index = before[index]!)
        applyMonth(rows[index]!, part, records, at + idBytes + part.firstInMonth);
    }
  }
  return rows;
}

/**
 * One block of memory for all rows, because a thousand small ones cost more to free than to fill.
 */
function makeRows(window: DayWindow, keywords: readonly FollowedMarket[]): VisibleRow[] {
  const count = window.days.length;
  const memory = new Uint8Array(2 * count * keywords.length);
  const trackedDepthsOf = createTrackedDepthsReader(window.days);
  return keywords.map((keyword, index) => {
    const [dailyRanks, depths] = [
      memory.subarray(2 * index * count, (2 * index + 1) * count),
      memory.subarray((2 * index + 1) * count, 2 * (index + 1) * count),
    ];
    return {
      keywordId: keyword.id,
      listingId: keyword.listingId,
      marketId: keyword.marketId,
      trackingPeriods: keyword.trackingPeriods,
      dailyRanks,
      depths,
      trackedDepths: trackedDepthsOf(keyword.trackingPeriods),
    };
  });
}

/** Caches depths, because most keywords of an app began on a few days, with the same depth. */
function createTrackedDepthsReader(
  days: readonly UtcDay[],
): (trackingPeriods: readonly TrackingPeriod[]) => Uint8Array {
  const known = new Map<string, Uint8Array>();
  return (trackingPeriods) => {
    const name = trackingPeriods.map(nameOf).join();
    const depths = known.get(name) ?? trackedDepths(trackingPeriods, days);
    known.set(name, depths);
    return depths;
  };
}

/** The second of a first check decides nothing here. */
const nameOf = (period: TrackingPeriod): string =>
  `${period[0]} ${period[1]}${isAwaited(period) ? ' awaited' : ''}`;

/** Unpacks a month's ranks and depths; a depth is 0 where there is no rank. */
function applyMonth(
  { dailyRanks, depths, trackedDepths }: VisibleRow,
  { count, firstInWindow }: MonthPart,
  records: Uint8Array,
  from: number,
): void {
  if (followsAll(trackedDepths, firstInWindow, count)) {
    for (let step = 0; step < count; step += 1) {
      dailyRanks[firstInWindow + step] = records[from + step]!;
      depths[firstInWindow + step] = records[from + step + daysPerMonth]!;
    }
    return;
  }
  for (let step = 0; step < count; step += 1) {
    const seenAs = trackedDepths[firstInWindow + step]! << 8;
    dailyRanks[firstInWindow + step] = visibleRanks[seenAs + records[from + step]!]!;
    depths[firstInWindow + step] = visibleDepths[seenAs + records[from + step + daysPerMonth]!]!;
  }
}

/** True when the full depth is tracked on every day, so that nothing is cut. */
function followsAll(trackedDepths: Readonly<Uint8Array>, from: number, count: number): boolean {
  for (let index = from; index < from + count; index += 1)
    if (trackedDepths[index] !== maxPosition) return false;
  return true;
}

/**
 * The visible byte of a rank and of a depth for each of 256 tracked depths. Branches on values that
 * vary from day to day are slow; a lookup takes a fifth of the time.
 */
const visibleRanks = tabulate((followed, dailyRank) =>
  dailyRank > followed ? notFoundByte : dailyRank,
);
const visibleDepths = tabulate((followed, depth) => Math.min(depth, followed));

function tabulate(see: (followed: number, byte: number) => number): Uint8Array {
  const table = new Uint8Array(256 * 256).fill(notChecked);
  for (let followed = 0; followed < 256; followed += 1)
    for (let byte = 0; isFollowed(followed) && byte < 256; byte += 1)
      table[(followed << 8) + byte] = see(followed, byte);
  return table;
}

/**
 * The last keyword of each listing and market, and for each keyword the one before it with the same
 * listing and market, in another workspace; -1 when there is none.
 */
function indexByListing(keywords: readonly FollowedMarket[]): {
  ofListing: Map<number, Map<number, number>>;
  before: Int32Array;
} {
  const ofListing = new Map<number, Map<number, number>>();
  const before = new Int32Array(keywords.length);
  for (const [index, { listingId, marketId }] of keywords.entries()) {
    const ofMarket = ofListing.get(listingId) ?? new Map<number, number>();
    before[index] = ofMarket.get(marketId) ?? -1;
    ofListing.set(listingId, ofMarket.set(marketId, index));
  }
  return { ofListing, before };
}

/** The rank and depth of a day of the window; null when it was not checked. */
export function pairAt(row: VisibleRow, days: readonly UtcDay[], index: number): RankPair | null {
  const position = decodePosition(row.dailyRanks[index] ?? notChecked);
  return position === undefined
    ? null
    : { date: days[index]!, position, depth: row.depths[index]! };
}

/** True when the positions of two days have the same provider, so that they can be compared. */
export const isSameProvider = ({ providers }: VisibleRow, a: number, b: number): boolean =>
  providers === undefined || providers[a] === providers[b];

/** The newest checked day before `index` with its provider; -1 when there is none within reach. */
export function findCheckedBefore(row: VisibleRow, index: number, reach: number): number {
  for (let at = index - 1; at >= 0 && at >= index - reach; at -= 1)
    if (row.dailyRanks[at] !== notChecked && isSameProvider(row, at, index)) return at;
  return -1;
}

/** Leaves out the days whose provider is not that of the day at `index`. */
export function keepProviderOf(row: VisibleRow, index: number): VisibleRow {
  const { providers, dailyRanks, depths } = row;
  if (providers === undefined) return row;
  const keep = (bytes: Uint8Array) =>
    bytes.map((byte, at) => (isSameProvider(row, at, index) ? byte : notChecked));
  return { ...row, dailyRanks: keep(dailyRanks), depths: keep(depths) };
}

/** The newest checked day at `index` or at most `reach` days before it; -1 when there is none. */
export function findCheckedAtOrBefore(row: VisibleRow, index: number, reach: number): number {
  for (let at = Math.min(index, row.dailyRanks.length - 1); at >= 0 && at >= index - reach; at -= 1)
    if (row.dailyRanks[at] !== notChecked) return at;
  return -1;
}
