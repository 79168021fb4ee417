import type { z } from 'zod';
import type { checkedCell, rankings } from '../../contract/rankings.ts';
import { countLatest, listLatest, type LatestRow } from '../../db/queries/rank-months.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readId, writeId } from './cursor.ts';

export type LatestCells = z.input<(typeof rankings)['GET /rankings/latest']['responses'][200]>;

export interface LatestQuery {
  limit: number;
  cursor?: string | undefined;
  appIds?: number[] | undefined;
  country?: string | undefined;
}

/** The newest cell of every keyword of the workspace, by keyword id. */
export async function listLatestCells(ctx: Ctx, query: LatestQuery): Promise<LatestCells> {
  const afterId = query.cursor === undefined ? 0 : readId(query.cursor);
  const filter = { appIds: query.appIds ?? null, country: query.country ?? null };
  const { rows, total } = await inTenant(ctx, async (tx) => {
    const found = await listLatest(tx, ctx.workspaceId, {
      ...filter,
      afterId,
      limit: query.limit + 1,
    });
    const isAll = afterId === 0 && found.length <= query.limit;
    return {
      rows: found,
      total: isAll ? found.length : await countLatest(tx, ctx.workspaceId, filter),
    };
  });
  const shown = rows.slice(0, query.limit);
  const items = shown.map((row) => ({
    keywordId: row.keywordId,
    appId: row.appId,
    phrase: row.phrase,
    country: row.country,
    latest: toCheckedCell(row),
  }));
  return {
    items,
    nextCursor: rows.length > shown.length ? writeId(shown.at(-1)!.keywordId) : null,
    total,
  };
}

/** The newest cell as kept beside a keyword; null when it was never checked. */
function toCheckedCell({ keywordId, latest }: LatestRow): z.input<typeof checkedCell> | null {
  if (latest === null) return null;
  const { on, position, depth, at } = latest;
  return {
    date: on,
    keywordId,
    state: position === null ? 'not_found' : 'ranked',
    position,
    depth,
    checkedAt: at.toISOString(),
  };
}
