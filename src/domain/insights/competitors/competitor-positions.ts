import type { ArchivedSpan } from '#db/queries/apps/apps.ts';
import type { LastRanks } from '#db/queries/rankings/last-ranks.ts';
import type { DaysInMonth, RankMonths } from '#db/queries/rankings/rank-months.ts';
import {
  addDays,
  dayIndexInMonth,
  monthOf,
  startOfDayMs,
  utcDayOf,
  type UtcDay,
} from '#lib/dates.ts';
import { notChecked, notFoundByte } from '#domain/tracking/rankings/daily-rank-codec.ts';
import type { ExaminedDays } from '#domain/tracking/rankings/examined-days.ts';
import { trackedDepthOn, type TrackingPeriod } from '#domain/tracking/rankings/tracking-periods.ts';
import type { Spot } from '#domain/tracking/serps/live-keywords.ts';
import type { StoredPositions } from '#domain/tracking/serps/stored-positions.ts';

/** A competitor with the fields that loading its positions needs. */
export interface TrackedCompetitor {
  id: number;
  listingId: number;
  trackingPeriods: readonly TrackingPeriod[];
  /** When it was added for the first time. */
  followedAt: Date;
  archivedSpans: readonly ArchivedSpan[];
}

/** The days on which the competitor was added, archived or restored. */
export const listEdgeDays = ({ followedAt, archivedSpans }: TrackedCompetitor): UtcDay[] => [
  utcDayOf(followedAt),
  ...archivedSpans.flat().map((at) => utcDayOf(new Date(at))),
];

/** A position: 1-based, or null with the depth within which that is known. */
export interface Position {
  position: number | null;
  depth: number;
}

/** Ranks that `addLast` did not find. */
export interface MissingRanks {
  /** Markets without a row of the day of their spot. */
  marketIds: Set<number>;
  /** Listings that are not in the row of each market. */
  listings: { listingIds: Set<number>; marketIds: Set<number> };
}

const idBytes = 4;

/** A keyword and day, prepared once for all competitors: there are up to a million lookups. */
interface SpotView extends Spot {
  /** Index in the days of all spots. */
  day: number;
  dayIndex: number;
  month: UtcDay;
  /** The depth of the market's search for this workspace; 0 when that is not certain. */
  followed: number;
  /** The time of the market's search; loaded only for days on which tracking began or ended. */
  searchedMs: number;
  /** Presence and absence in the stored results are known within this depth. */
  known: number;
}

/** Values that depend only on the day. A thousand spots share few days. */
interface DayView {
  index: number;
  date: UtcDay;
  before: UtcDay;
  startMs: number;
  month: UtcDay;
  dayIndex: number;
}

interface CompetitorView {
  sinceMs: number;
  archived: { fromMs: number; toMs: number }[];
  /** By the index of the day. An edge is one of `listEdgeDays`. */
  days: { isEdge: boolean; isTracked: boolean }[];
}

/**
 * Competitors' positions on days of keywords: from stored results, and with the full depth on days
 * when this workspace tracked the competitor. Positions are stored for everyone; what other
 * workspaces tracked is not shown.
 */
export class CompetitorPositions {
  private readonly spots: readonly SpotView[];
  private readonly competitors: readonly CompetitorView[];
  /** By the id of a competitor, and by that of its listing. */
  private readonly columns: ReadonlyMap<number, number>;
  private readonly columnOfListing: ReadonlyMap<number, number>;
  private readonly spotsOfMarket: ReadonlyMap<number, number[]>;
  /**
   * A byte for each spot and competitor, in rows of a spot: ranks and depths as the months have
   * them, cut to what the workspace tracks, and positions in the stored results, 0 for none.
   */
  private readonly ranks: Uint8Array;
  private readonly depths: Uint8Array;
  private readonly stored: Uint8Array;

  constructor(
    spots: readonly Spot[],
    competitors: readonly TrackedCompetitor[],
    examined: ExaminedDays,
  ) {
    const days = new Map(
      [...new Set(spots.map((spot) => spot.date))].map((date, at) => [date, viewDay(date, at)]),
    );
    this.spots = spots.map((spot) => viewSpot(spot, days.get(spot.date)!, examined));
    this.competitors = competitors.map((one) => viewCompetitor(one, [...days.values()]));
    this.columns = new Map(competitors.map(({ id }, column) => [id, column]));
    this.columnOfListing = new Map(competitors.map(({ listingId }, column) => [listingId, column]));
    this.spotsOfMarket = indexByMarket(spots);
    const size = spots.length * competitors.length;
    this.ranks = new Uint8Array(size);
    this.depths = new Uint8Array(size);
    this.stored = new Uint8Array(size);
  }

  /** Ranks of some days of months, as `listRankDays` reads them. */
  addMonths(months: readonly RankMonths[], days: DaysInMonth): void {
    const recordBytes = idBytes + 2 * days.count;
    for (const { listingId, month, records } of months) {
      const column = this.columnOfListing.get(listingId);
      if (column === undefined) continue;
      for (let at = 0; at < records.length; at += recordBytes)
        for (const index of this.spotsOfMarket.get(records.readInt32BE(at)) ?? []) {
          const spot = this.spots[index]!;
          const day = at + idBytes + spot.dayIndex - days.first;
          if (spot.month === month)
            this.addRank(index, column, records[day]!, records[day + days.count]!);
        }
    }
  }

  /** Ranks of the newest checks of markets. Every market has one spot. Returns what is missing. */
  addLast(last: readonly LastRanks[]): MissingRanks {
    const missing: MissingRanks = {
      marketIds: new Set(this.spotsOfMarket.keys()),
      listings: { listingIds: new Set(), marketIds: new Set() },
    };
    for (const { listingIds, checks } of last) {
      const columns = this.columnsOf(listingIds);
      const present = new Set(columns);
      const absent = [...this.columnOfListing].filter(([, column]) => !present.has(column));
      for (const { marketId, date, depth, dailyRanks } of checks) {
        const index = this.spotsOfMarket.get(marketId)?.[0];
        if (index === undefined || this.spots[index]!.date !== date) continue;
        missing.marketIds.delete(marketId);
        for (let at = 0; at < columns.length; at += 1)
          if (columns[at]! >= 0) this.addRank(index, columns[at]!, dailyRanks[at]!, depth);
        if (absent.length > 0) missing.listings.marketIds.add(marketId);
      }
      for (const [listingId] of absent) missing.listings.listingIds.add(listingId);
    }
    return missing;
  }

  /** The stored results of the spot with this index. */
  addStored(index: number, kept: StoredPositions | null): void {
    if (kept === null) return;
    this.spots[index]!.known = kept.knownPositions;
    const row = index * this.competitors.length;
    for (let at = kept.listingIds.length - 1; at >= 0; at -= 1) {
      const column = this.columnOfListing.get(kept.listingIds[at]!);
      if (column !== undefined) this.stored[row + column] = at + 1;
    }
  }

  /** Stored results could add nothing: the rank is known to the depth of the keyword. */
  isComplete(index: number, competitor: TrackedCompetitor): boolean {
    const cell = this.cellOf(index, competitor);
    const rank = this.ranks[cell]!;
    if (rank === notChecked) return false;
    return rank !== notFoundByte || this.depths[cell]! >= this.spots[index]!.followed;
  }

  /** Cheaper than `find`, for a million lookups that mostly find nothing. */
  isFound(index: number, competitor: TrackedCompetitor): boolean {
    const cell = this.cellOf(index, competitor);
    return isPosition(this.ranks[cell]!) || this.stored[cell]! > 0;
  }

  /** The position at the spot with this index; null when unknown. */
  find(index: number, competitor: TrackedCompetitor): Position | null {
    const cell = this.cellOf(index, competitor);
    const depth = Math.max(this.spots[index]!.known, this.depths[cell]!);
    const rank = this.ranks[cell]!;
    const position = isPosition(rank) ? rank : this.stored[cell]!;
    if (position > 0) return { position, depth: Math.max(depth, position) };
    return depth === 0 ? null : { position: null, depth };
  }

  private cellOf(index: number, { id }: TrackedCompetitor): number {
    return index * this.competitors.length + this.columns.get(id)!;
  }

  /** By the order of packed listing ids; -1 for those of others. */
  private columnsOf(listingIds: Buffer): Int32Array {
    return Int32Array.from(
      { length: listingIds.length / idBytes },
      (_, at) => this.columnOfListing.get(listingIds.readInt32BE(at * idBytes)) ?? -1,
    );
  }

  /** A rank, if this workspace tracked the competitor; cut to the keyword's tracked depth. */
  private addRank(index: number, column: number, rank: number, depth: number): void {
    const { day, followed, searchedMs } = this.spots[index]!;
    const competitor = this.competitors[column]!;
    const { isEdge, isTracked } = competitor.days[day]!;
    const isLookedFor = isEdge ? isFollowedAt(competitor, searchedMs) : isTracked;
    if (followed === 0 || !isLookedFor || rank === notChecked) return;
    const cell = index * this.competitors.length + column;
    this.ranks[cell] = rank > followed ? notFoundByte : rank;
    this.depths[cell] = Math.min(depth, followed);
  }
}

const isPosition = (rank: number): boolean => rank !== notChecked && rank !== notFoundByte;

function indexByMarket(spots: readonly Spot[]): Map<number, number[]> {
  const ofMarket = new Map<number, number[]>();
  for (const [index, { keyword }] of spots.entries()) {
    const known = ofMarket.get(keyword.marketId);
    if (known) known.push(index);
    else ofMarket.set(keyword.marketId, [index]);
  }
  return ofMarket;
}

function viewDay(date: UtcDay, index: number): DayView {
  return {
    index,
    date,
    before: addDays(date, -1),
    startMs: startOfDayMs(date),
    month: monthOf(date),
    dayIndex: dayIndexInMonth(date),
  };
}

function viewSpot({ keyword, date }: Spot, day: DayView, examined: ExaminedDays): SpotView {
  const seconds = examined.find(keyword.marketId, date)?.seconds;
  const searchedMs =
    seconds === undefined ? Number.NEGATIVE_INFINITY : day.startMs + seconds * 1000;
  const today = trackedDepthOn(keyword.trackingPeriods, date) ?? 0;
  const bornMs = keyword.createdAt.getTime();
  // For a keyword that was resumed or deepened on that day, the search may have been before.
  const lasting = Math.min(today, trackedDepthOn(keyword.trackingPeriods, day.before) ?? 0);
  const followed = bornMs < day.startMs ? lasting : searchedMs >= bornMs ? today : 0;
  return {
    keyword,
    date,
    day: day.index,
    dayIndex: day.dayIndex,
    month: day.month,
    followed,
    searchedMs,
    known: 0,
  };
}

function viewCompetitor(competitor: TrackedCompetitor, days: readonly DayView[]): CompetitorView {
  const edges = new Set(listEdgeDays(competitor));
  return {
    sinceMs: competitor.followedAt.getTime(),
    archived: competitor.archivedSpans.map(([from, to]) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
    })),
    days: days.map(({ date }) => ({
      isEdge: edges.has(date),
      isTracked: (trackedDepthOn(competitor.trackingPeriods, date) ?? 0) > 0,
    })),
  };
}

/** As the SQL function `app_spans`. */
function isFollowedAt({ sinceMs, archived }: CompetitorView, ms: number): boolean {
  return ms >= sinceMs && !archived.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
}
