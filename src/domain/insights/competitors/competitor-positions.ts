import type { DaysInMonth, RankMonths } from '#db/queries/rankings/rank-months.ts';
import {
  addDays,
  dayIndexInMonth,
  monthOf,
  startOfDayMs,
  utcDayOf,
  type UtcDay,
} from '#lib/dates.ts';
import { decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import type { ExaminedDays } from '#domain/tracking/rankings/examined-days.ts';
import { trackedDepthOn, type TrackingPeriod } from '#domain/tracking/rankings/tracking-periods.ts';
import type { Spot } from '#domain/tracking/serps/live-keywords.ts';
import type { StoredPositions } from '#domain/tracking/serps/stored-positions.ts';

/** A competitor with the fields that loading its positions needs. */
export interface TrackedCompetitor {
  id: number;
  listingId: number;
  trackingPeriods: readonly TrackingPeriod[];
  followedAt: Date;
}

/** A position: 1-based, or null with the depth within which that is known. */
export interface Position {
  position: number | null;
  depth: number;
}

const idBytes = 4;

/** A keyword and day, prepared once for all competitors, because there are thousands of lookups. */
interface SpotView extends Spot {
  kept: StoredPositions | null;
  month: UtcDay;
  dayIndex: number;
  /** The depth of the market's search for this workspace; 0 when that is not certain. */
  followed: number;
  /** The time of the market's search; loaded only for days on which tracking began. */
  searchedMs: number;
}

/** Values that depend only on the day. A thousand spots share few days. */
interface DayView {
  before: UtcDay;
  startMs: number;
  month: UtcDay;
  dayIndex: number;
}

interface CompetitorView {
  firstDay: UtcDay;
  sinceMs: number;
  /** Packed ranks of the loaded days and the offsets of markets in them, by month. */
  months: Map<UtcDay, { records: Buffer; offsets: Map<number, number> }>;
}

/**
 * Competitors' positions on days of keywords: from stored results, and with the full depth on days
 * when this workspace tracked the competitor. Positions are stored for everyone; what other
 * workspaces tracked is not shown.
 */
export class CompetitorPositions {
  private readonly spots: readonly SpotView[];
  private readonly competitors: ReadonlyMap<number, CompetitorView>;
  private readonly days: DaysInMonth;

  constructor(
    spots: readonly Spot[],
    competitors: readonly TrackedCompetitor[],
    known: {
      months: readonly RankMonths[];
      days: DaysInMonth;
      examined: ExaminedDays;
    },
  ) {
    const days = new Map(
      [...new Set(spots.map((spot) => spot.date))].map((date) => [date, viewDay(date)]),
    );
    this.spots = spots.map((spot) => viewSpot(spot, days.get(spot.date)!, known.examined));
    this.competitors = new Map(
      competitors.map((competitor) => [competitor.id, viewCompetitor(competitor, known)]),
    );
    this.days = known.days;
  }

  /** The stored results of the spot with this index. */
  addStored(index: number, kept: StoredPositions | null): void {
    this.spots[index]!.kept = kept;
  }

  /** Stored results could add nothing: the rank is known to the depth of the keyword. */
  isComplete(index: number, competitor: TrackedCompetitor): boolean {
    const deep = this.findDeep(index, competitor);
    return deep !== null && (deep.position !== null || deep.depth >= this.spots[index]!.followed);
  }

  /** The position at the spot with this index; null when unknown. */
  find(index: number, competitor: TrackedCompetitor): Position | null {
    const { kept } = this.spots[index]!;
    const deep = this.findDeep(index, competitor);
    const depth = Math.max(kept?.knownPositions ?? 0, deep?.depth ?? 0);
    if (deep && deep.position !== null)
      return { position: deep.position, depth: Math.max(depth, deep.position) };
    const at = kept ? kept.listingIds.indexOf(competitor.listingId) : -1;
    if (at >= 0) return { position: at + 1, depth: Math.max(depth, at + 1) };
    return depth === 0 ? null : { position: null, depth };
  }

  private findDeep(index: number, competitor: TrackedCompetitor): Position | null {
    const view = this.competitors.get(competitor.id)!;
    return findDeep(this.spots[index]!, competitor, { view, days: this.days });
  }
}

function viewDay(date: UtcDay): DayView {
  return {
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
    kept: null,
    month: day.month,
    dayIndex: day.dayIndex,
    followed,
    searchedMs,
  };
}

function viewCompetitor(
  { listingId, followedAt }: TrackedCompetitor,
  { months, days }: { months: readonly RankMonths[]; days: DaysInMonth },
): CompetitorView {
  const recordBytes = idBytes + 2 * days.count;
  const ofCompetitor = months.filter((month) => month.listingId === listingId);
  const packed = ofCompetitor.map(({ month, records }) => {
    const offsets = new Map<number, number>();
    for (let at = 0; at < records.length; at += recordBytes)
      offsets.set(records.readInt32BE(at), at + idBytes);
    return [month, { records, offsets }] as const;
  });
  return { firstDay: utcDayOf(followedAt), sinceMs: followedAt.getTime(), months: new Map(packed) };
}

/**
 * The packed rank, if this workspace tracked the competitor; cut to the keyword's tracked depth.
 */
function findDeep(
  spot: SpotView,
  competitor: TrackedCompetitor,
  { view, days }: { view: CompetitorView; days: DaysInMonth },
): Position | null {
  const isLookedFor =
    spot.date === view.firstDay
      ? spot.searchedMs >= view.sinceMs
      : trackedDepthOn(competitor.trackingPeriods, spot.date);
  if (spot.followed === 0 || !isLookedFor) return null;
  const month = view.months.get(spot.month);
  const start = month?.offsets.get(spot.keyword.marketId);
  if (!month || start === undefined) return null;
  const at = start + spot.dayIndex - days.first;
  const position = decodePosition(month.records[at]!);
  if (position === undefined) return null;
  return {
    position: position !== null && position <= spot.followed ? position : null,
    depth: Math.min(month.records[at + days.count]!, spot.followed),
  };
}
