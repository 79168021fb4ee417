import type { z } from 'zod';
import type { serpItem } from '#contract/serp.ts';
import type { Tx } from '#db/database.ts';
import { listKeptSerps, type KeptSerp } from '#db/queries/serp-chains/kept-serps.ts';
import { listSerpListings, type SerpContext, type SerpListing } from '#db/queries/serps/serps.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';
import { loadRatingsOn } from '../listings/storefront-ratings.ts';
import type { Followed } from '../rankings/followed-keywords.ts';
import { unpackIds, unpackStrengths, type Strength } from '../rankings/pack-serp.ts';
import { trackedDepthOn } from '../rankings/tracking-periods.ts';

export type SerpItem = z.input<typeof serpItem>;

/** A day's stored results, cut to the tracked depth of that day. */
export interface StoredSerp {
  date: UtcDay;
  depth: number;
  resultCount: number;
  provider: string;
  ads: number[] | null;
  listingIds: number[];
  /** Of the first ten; null where the ratings are not known. */
  strengths: (Strength | null)[];
  /** Presence and absence are known within this depth. */
  knownPositions: number;
}

/** The stored results of a day; null when none are stored or the keyword was not tracked. */
export async function findStoredSerp(
  tx: Tx,
  keyword: Followed,
  date: UtcDay,
): Promise<StoredSerp | null> {
  const followed = trackedDepthOn(keyword.trackingPeriods, date);
  if (!followed) return null;
  const [row] = await listKeptSerps(tx, [{ marketId: keyword.marketId, date }]);
  return row ? cutToDepth(keyword.store, row, followed) : null;
}

export function cutToDepth(store: StoreName, row: KeptSerp, followed: number): StoredSerp {
  const all = unpackIds(row.ids);
  return {
    date: row.date,
    depth: Math.min(row.depth, followed),
    resultCount: Math.min(row.resultCount, followed),
    provider: row.provider,
    ads: row.ads?.filter((position) => position <= followed) ?? null,
    listingIds: all.slice(0, followed),
    strengths: unpackStrengths(row.strengths)
      .slice(0, followed)
      .map((strength) => toShownStrength(store, strength)),
    knownPositions: countKnown(
      { ...row, isExhausted: row.ended === 'exhausted', kept: all.length },
      followed,
    ),
  };
}

/** An app without ratings has 0 of them in a store that shows all: null would mean unknown. */
function toShownStrength(store: StoreName, strength: Strength | null): Strength | null {
  const { unknownRatingsAreNone } = profileOf(store).scores.difficulty;
  return unknownRatingsAreNone && strength?.rating === null
    ? { rating: null, ratingCount: strength.ratingCount ?? 0 }
    : strength;
}

/**
 * Presence and absence are known within this depth. A complete list that the store ended proves
 * absence at every deeper position.
 */
export function countKnown(
  row: { depth: number; resultCount: number; isExhausted: boolean; kept: number },
  followed: number,
): number {
  const isWhole = row.isExhausted && row.kept >= row.resultCount;
  return Math.min(followed, isWhole ? row.depth : row.kept);
}

/**
 * Names of the listings at some positions, and their relation to the app if one is given. Every
 * listing has a row: listings are never deleted. A name is that of the first country that has one,
 * so that what others read elsewhere changes nothing here.
 */
export async function readListings(
  tx: Tx,
  ctx: Ctx,
  listingIds: readonly number[],
  of: SerpContext,
): Promise<Map<number, SerpListing>> {
  const ids = [...new Set(listingIds)];
  const rows = ids.length === 0 ? [] : await listSerpListings(tx, ctx.workspaceId, of, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The ratings of a day's results in their country. Those of the first ten are stored with the day;
 * of deeper ones they are what the storefront showed until then, and null where nothing is known.
 */
export async function loadResultRatings(
  tx: Tx,
  { date, strengths }: Pick<StoredSerp, 'date' | 'strengths'>,
  listingIds: readonly number[],
  country: string,
): Promise<(id: number, position: number) => Strength | null> {
  const knownOf = await loadRatingsOn(tx, listingIds, { country, day: date });
  return (id, position) => strengths[position - 1] ?? knownOf(id);
}

export function toSerpItem(
  listing: SerpListing,
  position: number,
  ratings: Strength | null,
): SerpItem {
  return { position, ...presentSerpListing(listing, ratings) };
}

/** A listing by its latest card, with ratings of a country. */
export function presentSerpListing(
  listing: SerpListing,
  ratings: Strength | null,
): Omit<SerpItem, 'position'> {
  return {
    storeAppId: listing.storeAppId,
    name: listing.name,
    developer: listing.developer,
    iconUrl: listing.iconUrl,
    rating: ratings?.rating ?? null,
    ratingCount: ratings?.ratingCount ?? null,
    appId: listing.appId,
    isOwn: listing.isOwn,
    isCompetitor: listing.competitorId !== null,
  };
}
