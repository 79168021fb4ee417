import type { z } from 'zod';
import type { keywordScore } from '../../contract/scores.ts';
import type { Tx } from '../../db/database.ts';
import { listNewestScores } from '../../db/queries/scores.ts';
import { isVisible } from './keyword-scores.ts';
import { toItem } from './list-scores.ts';

/** The newest scores of keywords by id, with what they were made of; those whose workspace may see none are left out. One statement. */
export async function readNewestScores(
  tx: Tx,
  keywords: readonly { id: number; marketId: number; terms: unknown }[],
): Promise<Map<number, z.input<typeof keywordScore>>> {
  const rows = await listNewestScores(tx, [
    ...new Set(keywords.map((keyword) => keyword.marketId)),
  ]);
  const newest = new Map(rows.map((row) => [row.marketId, row]));
  return new Map(
    keywords.flatMap(({ id, marketId, terms }) => {
      const score = newest.get(marketId);
      return score && isVisible(terms, score) ? [[id, toItem(score)] as const] : [];
    }),
  );
}
