import type { DaysInMonth, RankMonths } from '../../db/queries/rank-months.ts';
import {
  addDays,
  dayIndexInMonth,
  monthOf,
  startOfDayMs,
  utcDayOf,
  type UtcDay,
} from '../../lib/dates.ts';
import { positionOf } from '../rankings/cells.ts';
import type { ExaminedDays } from '../rankings/examined-days.ts';
import { termDepthOn, type Term } from '../rankings/terms.ts';
import type { Spot } from '../serps/judged-keywords.ts';
import type { KeptPlaces } from '../serps/kept-places.ts';

/** A competitor as the reading of its places needs it. */
export interface Rival {
  id: number;
  listingId: number;
  terms: readonly Term[];
  followedAt: Date;
}

/** Where somebody stands: 1-based, or null with the depth within which that is known. */
export interface Place {
  position: number | null;
  depth: number;
}

const idBytes = 4;

/** A spot as every competitor asks for it: worked out once, since there are thousands of answers to give. */
interface SpotView extends Spot {
  kept: KeptPlaces | null;
  month: UtcDay;
  dayIndex: number;
  /** How deep the keyword's market was searched for this workspace; 0 when that is not certain. */
  followed: number;
  /** When the market was searched that day; only read for days on which something began. */
  searchedMs: number;
}

/** What follows from a day alone; a thousand spots have the same few. */
interface DayView {
  before: UtcDay;
  startMs: number;
  month: UtcDay;
  dayIndex: number;
}

interface RivalView {
  firstDay: UtcDay;
  sinceMs: number;
  /** Packed cells of the days that were read and the places of markets in them, by month. */
  months: Map<UtcDay, { records: Buffer; places: Map<number, number> }>;
}

/**
 * Where competitors stood on days of keywords: by the kept places, and as deep as was searched on days on which this
 * workspace had the competitor looked for. A listing's positions are kept for everyone; what others had looked for
 * before or besides is not shown.
 */
export class RivalPlaces {
  private readonly spots: readonly SpotView[];
  private readonly rivals: ReadonlyMap<number, RivalView>;
  private readonly days: DaysInMonth;

  constructor(
    spots: readonly Spot[],
    rivals: readonly Rival[],
    known: {
      kept: readonly (KeptPlaces | null)[];
      months: readonly RankMonths[];
      days: DaysInMonth;
      examined: ExaminedDays;
    },
  ) {
    const days = new Map(
      [...new Set(spots.map((spot) => spot.date))].map((date) => [date, viewDay(date)]),
    );
    this.spots = spots.map((spot, number) =>
      viewSpot(spot, days.get(spot.date)!, known.kept[number] ?? null, known.examined),
    );
    this.rivals = new Map(rivals.map((rival) => [rival.id, viewRival(rival, known)]));
    this.days = known.days;
  }

  /** The place at the spot of this number; null when nothing is known of it. */
  find(number: number, rival: Rival): Place | null {
    const spot = this.spots[number]!;
    const { kept } = spot;
    const deep = findDeep(spot, rival, { view: this.rivals.get(rival.id)!, days: this.days });
    const depth = Math.max(kept?.knownPlaces ?? 0, deep?.depth ?? 0);
    if (deep && deep.position !== null)
      return { position: deep.position, depth: Math.max(depth, deep.position) };
    const index = kept ? kept.listingIds.indexOf(rival.listingId) : -1;
    if (index >= 0) return { position: index + 1, depth: Math.max(depth, index + 1) };
    return depth === 0 ? null : { position: null, depth };
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

function viewSpot(
  { keyword, date }: Spot,
  day: DayView,
  kept: KeptPlaces | null,
  examined: ExaminedDays,
): SpotView {
  const seconds = examined.find(keyword.marketId, date)?.seconds;
  const searchedMs =
    seconds === undefined ? Number.NEGATIVE_INFINITY : day.startMs + seconds * 1000;
  const today = termDepthOn(keyword.terms, date) ?? 0;
  const bornMs = keyword.createdAt.getTime();
  // A keyword that came back, or went deeper, did so at some time of the day: the search may have been before.
  const lasting = Math.min(today, termDepthOn(keyword.terms, day.before) ?? 0);
  const followed = bornMs < day.startMs ? lasting : searchedMs >= bornMs ? today : 0;
  return { keyword, date, kept, month: day.month, dayIndex: day.dayIndex, followed, searchedMs };
}

function viewRival(
  { listingId, followedAt }: Rival,
  { months, days }: { months: readonly RankMonths[]; days: DaysInMonth },
): RivalView {
  const recordBytes = idBytes + 2 * days.count;
  const ofRival = months.filter((month) => month.listingId === listingId);
  const packed = ofRival.map(({ month, records }) => {
    const places = new Map<number, number>();
    for (let at = 0; at < records.length; at += recordBytes)
      places.set(records.readInt32BE(at), at + idBytes);
    return [month, { records, places }] as const;
  });
  return { firstDay: utcDayOf(followedAt), sinceMs: followedAt.getTime(), months: new Map(packed) };
}

/** The packed cell, if this workspace had the competitor looked for; cut to what the keyword followed. */
function findDeep(
  spot: SpotView,
  rival: Rival,
  { view, days }: { view: RivalView; days: DaysInMonth },
): Place | null {
  const isLookedFor =
    spot.date === view.firstDay
      ? spot.searchedMs >= view.sinceMs
      : termDepthOn(rival.terms, spot.date);
  if (spot.followed === 0 || !isLookedFor) return null;
  const month = view.months.get(spot.month);
  const start = month?.places.get(spot.keyword.marketId);
  if (!month || start === undefined) return null;
  const at = start + spot.dayIndex - days.first;
  const position = positionOf(month.records[at]!);
  if (position === undefined) return null;
  return {
    position: position !== null && position <= spot.followed ? position : null,
    depth: Math.min(month.records[at + days.count]!, spot.followed),
  };
}
