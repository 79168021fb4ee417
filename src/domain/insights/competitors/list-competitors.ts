import type { Tx } from '#db/database.ts';
import {
  listCompetitors as listCompetitorRows,
  type CompetitorRow,
} from '#db/queries/competitors/competitors.ts';
import { findFollowedApp } from '#db/queries/rankings/rank-months.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import type { MarketFilter } from '#domain/tracking/rankings/followed-keywords.ts';
import {
  loadLiveKeywords,
  latestSpots,
  type LiveKeyword,
  type Spot,
} from '#domain/tracking/serps/live-keywords.ts';
import { presentCompetitor, toCompetitorRef, type CompetitorRecord } from './present-competitor.ts';
import { readLatestPositions } from './read-competitor-positions.ts';
import type { Position } from './competitor-positions.ts';
import { countVerdicts, verdictOf } from './verdict.ts';

/**
 * Lists the live competitors of an app in the order in which they were added, compared on its
 * keywords in one country or in all, on one device or on all. Without `overlap` they are not
 * compared. Throws not_found.
 */
export async function listCompetitors(
  ctx: Ctx,
  appId: number,
  { overlap = true, ...filter }: MarketFilter & { overlap?: boolean | undefined },
): Promise<{ items: CompetitorRecord[]; nextCursor: null; total: number }> {
  const items = await inTenant(ctx, (tx) =>
    overlap ? readCompetitorRecords(tx, ctx, appId, filter) : readWithoutOverlap(tx, ctx, appId),
  );
  return { items, nextCursor: null, total: items.length };
}

async function readWithoutOverlap(tx: Tx, ctx: Ctx, appId: number): Promise<CompetitorRecord[]> {
  const app = await findFollowedApp(tx, ctx.workspaceId, appId, ctx.clock.now());
  if (!app) throw notFound();
  const rows = await listCompetitorRows(tx, ctx.workspaceId, appId);
  return rows.map((row) => presentCompetitor(row, ctx.stores, null));
}

/** A live competitor. Throws not_found. */
export async function readCompetitor(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  id: number,
): Promise<CompetitorRecord> {
  const [record] = await readCompetitorRecords(tx, ctx, appId, { ids: [id] });
  if (!record) throw notFound();
  return record;
}

async function readCompetitorRecords(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  { ids = null, ...filter }: MarketFilter & { ids?: number[] | null },
): Promise<CompetitorRecord[]> {
  const { keywords } = await loadLiveKeywords(tx, ctx, appId, filter);
  const rows = await listCompetitorRows(tx, ctx.workspaceId, appId, ids);
  return rows.length === 0 ? [] : withOverlap(tx, ctx, rows, keywords);
}

async function withOverlap(
  tx: Tx,
  ctx: Ctx,
  rows: readonly CompetitorRow[],
  keywords: readonly LiveKeyword[],
): Promise<CompetitorRecord[]> {
  const spots = latestSpots(keywords, ctx.clock.now());
  const competitors = rows.map(toCompetitorRef);
  const positions = await readLatestPositions(tx, spots, competitors);
  const own = spots.map(ownPosition);
  return rows.map((row, index) => {
    const verdicts = own.map((ownAt, number) => {
      const position = positions.find(number, competitors[index]!);
      return position && verdictOf(ownAt, position);
    });
    return presentCompetitor(row, ctx.stores, countVerdicts(verdicts));
  });
}

/** The app's own position on the day of the keyword's latest rank. */
export function ownPosition({ keyword }: Spot): Position {
  return { position: keyword.latestPosition, depth: keyword.latestDepth! };
}
