import type { Tx } from '#db/database.ts';
import {
  listShortLatestResults,
  listShortResultCounts,
  type ResultCount,
} from '#db/queries/serps/result-counts.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { UtcDay } from '#lib/dates.ts';

interface Spot {
  marketId: number;
  date: UtcDay;
}

/** The number of results of markets on days on which there were fewer than the depth. */
export class ResultCounts {
  private readonly counts: Map<string, number>;

  constructor(rows: readonly ResultCount[]) {
    this.counts = new Map(rows.map((row) => [keyOf(row), row.resultCount]));
  }

  /** `{ resultCount }` for an app that was not among fewer results than `depth`; else empty. */
  of(spot: Spot, rank: { position: number | null; depth: number }): { resultCount?: number } {
    const resultCount = rank.position === null ? this.counts.get(keyOf(spot)) : undefined;
    return resultCount !== undefined && resultCount < rank.depth ? { resultCount } : {};
  }
}

const keyOf = ({ marketId, date }: Spot): string => `${marketId} ${date}`;

/**
 * For days on which an app was not found by a check that this workspace may see. An imported rank
 * is none: the results of its day may be those of others.
 */
export async function loadResultCounts(tx: Tx, spots: readonly Spot[]): Promise<ResultCounts> {
  return new ResultCounts(await listShortResultCounts(tx, spots));
}

/** By keyword, for those whose app was not among the few results of the last check. */
export async function loadLatestResultCounts(
  tx: Tx,
  ctx: Ctx,
  keywordIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await listShortLatestResults(tx, ctx.workspaceId, keywordIds);
  return new Map(rows.map(({ keywordId, resultCount }) => [keywordId, resultCount]));
}
