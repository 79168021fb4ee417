import { publishCategoryRanks } from '#db/queries/publication/charts.ts';
import type { Tx } from '#db/database.ts';
import {
  findFollowedChart,
  listFollowedCharts,
  type FollowedCharts,
} from '#domain/tracking/charts/followed-charts.ts';
import { parseFacts } from '#domain/tracking/imported-facts/read-imported-facts.ts';
import type { Batch } from './publish-facts.ts';

/**
 * Ends the publication of ranks. A rank in a chart that the app did not track that day, or in which
 * it cannot be ranked by what is public, stays evidence of the workspace: nothing else shows it.
 */
export async function publishCategoryRankBatch(
  tx: Tx,
  { workspaceId, clock, rows }: Batch,
): Promise<void> {
  const ranks = rows.flatMap(({ id, items }) =>
    parseFacts<'category_ranks'>([items]).map((rank, index) => ({
      ...rank,
      key: { rowId: id, number: index + 1 },
    })),
  );
  const apps = new Map<number, FollowedCharts>();
  for (const appId of new Set(ranks.map((rank) => rank.appId)))
    for (const app of await listFollowedCharts(tx, { workspaceId, clock }, { appId }))
      apps.set(appId, app);
  const shown = ranks.filter((rank) => {
    const app = apps.get(rank.appId);
    const chart = { ...rank, categoryId: rank.category?.id ?? null };
    return app !== undefined && findFollowedChart(app, chart, rank.date) !== undefined;
  });
  const ids = rows.map(({ id }) => id);
  await publishCategoryRanks(tx, workspaceId, { ids, shown: shown.map(({ key }) => key) });
}
