import type { Tx } from '../../db/database.ts';
import { listKeptRows, type KeptRow } from '../../db/queries/serp-history.ts';
import { unpackIds } from '../rankings/pack-serp.ts';
import { termDepthOn, type Term } from '../rankings/terms.ts';
import type { Spot } from './judged-keywords.ts';
import { countKnown } from './kept-serp.ts';

/** Who stood where in a market on a day, as deep as the keyword was followed that day. */
export interface KeptPlaces {
  listingIds: number[];
  /** Within so many places it is known who stood there, and who did not. */
  knownPlaces: number;
}

/** The kept places of each spot, null where none were kept or the keyword was not followed. One statement. */
export async function readKeptPlaces(
  tx: Tx,
  spots: readonly Spot[],
): Promise<(KeptPlaces | null)[]> {
  if (spots.length === 0) return [];
  const rows = await listKeptRows(tx, {
    marketIds: spots.map((spot) => spot.keyword.marketId),
    dates: spots.map((spot) => spot.date),
  });
  const ofSpot = new Map(rows.map((row) => [`${row.marketId} ${row.date}`, row]));
  return spots.map(({ keyword, date }) => {
    const row = ofSpot.get(`${keyword.marketId} ${date}`);
    return row ? toKeptPlaces(row, keyword.terms) : null;
  });
}

/** A market-day cut to what a keyword's terms let be seen; null when they let nothing. */
export function toKeptPlaces(row: KeptRow, terms: readonly Term[]): KeptPlaces | null {
  const followed = termDepthOn(terms, row.date);
  if (!followed) return null;
  const kept = row.ids.length / 4;
  return {
    listingIds: unpackIds(row.ids.subarray(0, followed * 4)),
    knownPlaces: countKnown({ ...row, kept }, followed),
  };
}
