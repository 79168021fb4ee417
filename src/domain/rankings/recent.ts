import type { z } from 'zod';
import type { change } from '../../contract/keywords.ts';
import type { Tx } from '../../db/database.ts';
import type { UtcDay } from '../../lib/dates.ts';

export type RankChange = z.input<typeof change>;

/** What the reading of a keyword's cells needs; `terms` as stored in keywords.terms. */
export interface FollowedKeyword {
  id: number;
  marketId: number;
  listingId: number;
  terms: unknown;
}

export interface RecentCells {
  /** The last 30 days, oldest first, today last: a position, null for not found, "-" for not checked. */
  spark: (number | null | '-')[];
  change1d: RankChange;
  change7d: RankChange;
  change30d: RankChange;
}

/** The recent cells of keywords by their ids, as far as their terms let this workspace see them. One statement. */
export async function recentCells(_tx: Tx, _keywords: readonly FollowedKeyword[], _today: UtcDay): Promise<Map<number, RecentCells>> {
  throw new Error('being written');
}
