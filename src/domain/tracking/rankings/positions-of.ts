import type { SearchResponse } from '#domain/base/ports.ts';
import { encodePosition } from './daily-rank-codec.ts';
import { positionIn } from './position.ts';

export interface Positions {
  listingIds: number[];
  positions: (number | null)[];
  /** The same positions as encoded bytes. */
  dailyRanks: number[];
}

/** The positions of tracked listings in a result. */
export function positionsOf(
  tracked: readonly { id: number; storeAppId: string }[],
  response: Pick<SearchResponse, 'items'>,
): Positions {
  const positions = tracked.map((listing) => positionIn(response, listing.storeAppId));
  return {
    listingIds: tracked.map((listing) => listing.id),
    positions,
    dailyRanks: positions.map(encodePosition),
  };
}
