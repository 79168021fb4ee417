import type { SearchAnswer } from '../ports.ts';
import { cellByte } from './cells.ts';
import { positionIn } from './position.ts';

export interface Places {
  listingIds: number[];
  positions: (number | null)[];
  /** The same positions as cell bytes. */
  cells: number[];
}

/** Where tracked listings stand in an answer. */
export function placesOf(
  tracked: readonly { id: number; storeAppId: string }[],
  answer: Pick<SearchAnswer, 'items'>,
): Places {
  const positions = tracked.map((listing) => positionIn(answer, listing.storeAppId));
  return {
    listingIds: tracked.map((listing) => listing.id),
    positions,
    cells: positions.map(cellByte),
  };
}
