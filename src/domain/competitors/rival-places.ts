import type { Tx } from '../../db/database.ts';
import { listRankMonths, type RankMonths } from '../../db/queries/rank-months.ts';
import { addDays, dayIndexInMonth, monthOf, startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { daysPerMonth, positionOf } from '../rankings/cells.ts';
import type { ExaminedDays } from '../rankings/examined-days.ts';
import { readExaminedDays } from '../rankings/read-visible.ts';
import { termDepthOn, type Term } from '../rankings/terms.ts';
import type { Spot } from '../serps/judged-keywords.ts';
import { readKeptPlaces, type KeptPlaces } from '../serps/kept-places.ts';

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
const recordBytes = idBytes + 2 * daysPerMonth;

/**
 * Where competitors stood on days of keywords: by the kept places, and as deep as was searched on days on which this
 * workspace had the competitor looked for. A listing's positions are kept for everyone; what others had looked for
 * before or besides is not shown.
 */
export class RivalPlaces {
  private readonly spots: readonly Spot[];
  private readonly kept: readonly (KeptPlaces | null)[];
  private readonly cells: PackedCells;
  private readonly examined: ExaminedDays;

  constructor(spots: readonly Spot[], known: { kept: readonly (KeptPlaces | null)[]; months: readonly RankMonths[]; examined: ExaminedDays }) {
    this.spots = spots;
    this.kept = known.kept;
    this.cells = new PackedCells(known.months);
    this.examined = known.examined;
  }

  /** The place at the spot of this number; null when nothing is known of it. */
  find(number: number, rival: Rival): Place | null {
    const [spot, kept] = [this.spots[number]!, this.kept[number]];
    const index = kept ? kept.listingIds.indexOf(rival.listingId) : -1;
    const followed = this.lookedForDepth(spot, rival);
    const deep = followed === 0 ? null : this.cells.find(rival.listingId, spot.keyword.marketId, spot.date, followed);
    const depth = Math.max(kept?.knownPlaces ?? 0, deep?.depth ?? 0);
    if (deep && deep.position !== null) return { position: deep.position, depth: Math.max(depth, deep.position) };
    if (index >= 0) return { position: index + 1, depth: Math.max(depth, index + 1) };
    return depth === 0 ? null : { position: null, depth };
  }

  /** How deep this workspace had the competitor looked for in the keyword's market that day; 0: it had not. */
  private lookedForDepth({ keyword, date }: Spot, rival: Rival): number {
    const isFirstOfRival = date === utcDayOf(rival.followedAt);
    if (!isFirstOfRival && !termDepthOn(rival.terms, date)) return 0;
    const isFirstOfKeyword = date === utcDayOf(keyword.createdAt);
    if (isFirstOfRival || isFirstOfKeyword) {
      const searchedMs = startOfDayMs(date) + (this.examined.find(keyword.marketId, date)?.seconds ?? -1) * 1000;
      const sinceMs = Math.max(isFirstOfRival ? rival.followedAt.getTime() : 0, isFirstOfKeyword ? keyword.createdAt.getTime() : 0);
      if (searchedMs < sinceMs) return 0;
    }
    const today = termDepthOn(keyword.terms, date) ?? 0;
    // A keyword that came back, or went deeper, did so at some time of the day: the search may have been before.
    return isFirstOfKeyword ? today : Math.min(today, termDepthOn(keyword.terms, addDays(date, -1)) ?? 0);
  }
}

/** Three statements at most. */
export async function readRivalPlaces(tx: Tx, spots: readonly Spot[], rivals: readonly Rival[]): Promise<RivalPlaces> {
  const firstDays = new Set(rivals.map((rival) => utcDayOf(rival.followedAt)));
  const beginnings = spots.filter(({ keyword, date }) => firstDays.has(date) || date === utcDayOf(keyword.createdAt));
  const kept = await readKeptPlaces(tx, spots);
  const months = await readMonths(tx, spots, rivals);
  const examined = await readExaminedDays(
    tx,
    beginnings.map((spot) => spot.keyword),
    beginnings.map((spot) => spot.date),
  );
  return new RivalPlaces(spots, { kept, months, examined });
}

async function readMonths(tx: Tx, spots: readonly Spot[], rivals: readonly Rival[]): Promise<RankMonths[]> {
  if (spots.length === 0 || rivals.length === 0) return [];
  const listingIds = [...new Set(rivals.map((rival) => rival.listingId))];
  const marketIds = [...new Set(spots.map((spot) => spot.keyword.marketId))];
  return listRankMonths(tx, { listingIds, marketIds, months: [...new Set(spots.map((spot) => monthOf(spot.date)))] });
}

/** Packed months, found by listing, month and market. */
class PackedCells {
  private readonly months = new Map<string, { records: Buffer; places: Map<number, number> }>();

  constructor(months: readonly RankMonths[]) {
    for (const { listingId, month, records } of months) {
      const places = new Map<number, number>();
      for (let at = 0; at < records.length; at += recordBytes) places.set(records.readInt32BE(at), at + idBytes);
      this.months.set(`${listingId} ${month}`, { records, places });
    }
  }

  /** Cut to `followed`; null when there is no cell. */
  find(listingId: number, marketId: number, date: UtcDay, followed: number): Place | null {
    const month = this.months.get(`${listingId} ${monthOf(date)}`);
    const start = month?.places.get(marketId);
    if (!month || start === undefined) return null;
    const at = start + dayIndexInMonth(date);
    const position = positionOf(month.records[at]!);
    if (position === undefined) return null;
    return { position: position !== null && position <= followed ? position : null, depth: Math.min(month.records[at + daysPerMonth]!, followed) };
  }
}
