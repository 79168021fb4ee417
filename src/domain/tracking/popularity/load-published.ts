import type { z } from 'zod';
import type { publishedPopularity } from '#contract/popularity.ts';
import type { Db, Tx } from '#db/database.ts';
import { listBounds, listPublished } from '#db/queries/popularity/published.ts';

export type PublishedPopularity = z.input<typeof publishedPopularity>;

/**
 * What the store publishes about markets, by market id; markets without data are omitted. A market
 * that is not listed has a bound. `hasResults` is true where the caller may see stored results. Two
 * statements for any number of markets.
 */
export async function loadPublished(
  tx: Db | Tx,
  markets: readonly { marketId: number; hasResults: boolean }[],
): Promise<Map<number, PublishedPopularity>> {
  const mayUseResults = new Map(markets.map(({ marketId, hasResults }) => [marketId, hasResults]));
  const rows = await listPublished(tx, [...mayUseResults.keys()]);
  const unlisted = rows
    .filter(({ popularity }) => popularity === null)
    .map(({ marketId, setId }) => ({
      marketId,
      setId,
      hasResults: mayUseResults.get(marketId) === true,
    }));
  const bounds = unlisted.length === 0 ? [] : await listBounds(tx, unlisted);
  const boundOf = new Map(bounds.map((bound) => [bound.marketId, bound]));
  return new Map(
    rows.flatMap((row) => {
      const bound = boundOf.get(row.marketId);
      if (row.popularity === null && !bound) return [];
      const published: PublishedPopularity = {
        popularity: row.popularity,
        rankInGenre: row.rankInGenre,
        atMost: bound?.atMost ?? null,
        genre: row.genre ?? bound?.genre ?? null,
        granularity: row.granularity,
        period: row.period,
        source: row.source,
      };
      return [[row.marketId, published]];
    }),
  );
}
