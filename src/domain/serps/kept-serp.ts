import type { z } from 'zod';
import type { serpItem } from '../../contract/serp.ts';
import type { Tx } from '../../db/database.ts';
import {
  findSerp,
  listSerpListings,
  type SerpListing,
  type SerpRow,
} from '../../db/queries/serps.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import type { Followed } from '../rankings/followed.ts';
import { unpackIds, unpackStrengths, type Strength } from '../rankings/pack-serp.ts';
import { termDepthOn } from '../rankings/terms.ts';

export type SerpItem = z.input<typeof serpItem>;

/** A day's kept results, cut to the depth at which the keyword was followed that day. */
export interface KeptSerp {
  date: UtcDay;
  depth: number;
  resultCount: number;
  listingIds: number[];
  strengths: Strength[];
  /** Within so many places it is known who stood there, and who did not. */
  knownPlaces: number;
}

/** The kept results of a day, or null: none were kept, or the keyword was not followed. */
export async function findKeptSerp(
  tx: Tx,
  keyword: Followed,
  date: UtcDay,
): Promise<KeptSerp | null> {
  const followed = termDepthOn(keyword.terms, date);
  const row = followed ? await findSerp(tx, keyword.marketId, date) : undefined;
  return row && followed ? cutToDepth(row, followed) : null;
}

export function cutToDepth(row: SerpRow, followed: number): KeptSerp {
  const all = unpackIds(row.ids);
  return {
    date: row.date,
    depth: Math.min(row.depth, followed),
    resultCount: Math.min(row.resultCount, followed),
    listingIds: all.slice(0, followed),
    strengths: unpackStrengths(row.strengths).slice(0, followed),
    knownPlaces: countKnown(
      { ...row, isExhausted: row.ended === 'exhausted', kept: all.length },
      followed,
    ),
  };
}

/**
 * Within so many places it is known who stood there, and who did not. A list that the store ended, and that is kept
 * whole, says of every deeper place that nobody stands there.
 */
export function countKnown(
  row: { depth: number; resultCount: number; isExhausted: boolean; kept: number },
  followed: number,
): number {
  const isWhole = row.isExhausted && row.kept >= row.resultCount;
  return Math.min(followed, isWhole ? row.depth : row.kept);
}

/**
 * Names and numbers of the listings at some places, and what each is to the app whose places they are, if that is of
 * interest. A listing whose row is gone cannot be: listings are never deleted.
 */
export async function readListings(
  tx: Tx,
  ctx: Ctx,
  listingIds: readonly number[],
  appId: number | null = null,
): Promise<Map<number, SerpListing>> {
  const rows = await listSerpListings(tx, ctx.workspaceId, appId, [...new Set(listingIds)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Of the first ten the ratings of that day are kept; further down the newest known stand in. */
export function toSerpItem(
  listing: SerpListing,
  position: number,
  strength: Strength | undefined,
): SerpItem {
  return {
    position,
    ...presentSerpListing(listing),
    ...(strength && { rating: strength.rating, ratingCount: strength.ratingCount }),
  };
}

/** A listing by its newest card. */
export function presentSerpListing(listing: SerpListing): Omit<SerpItem, 'position'> {
  return {
    storeAppId: listing.storeAppId,
    name: listing.name,
    developer: listing.developer,
    iconUrl: listing.iconUrl,
    rating: toShownRating(listing.rating),
    ratingCount: listing.ratingCount,
    appId: listing.appId,
    isOwn: listing.isOwn,
    isCompetitor: listing.competitorId !== null,
  };
}

/** Ratings are kept as four-byte floats, whose nearest double shows digits nobody gave. */
function toShownRating(rating: number | null): number | null {
  return rating === null ? null : Math.round(rating * 1e5) / 1e5;
}
