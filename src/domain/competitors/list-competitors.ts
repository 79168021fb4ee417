import type { Tx } from '../../db/database.ts';
import {
  listCompetitors as listCompetitorRows,
  type CompetitorRow,
} from '../../db/queries/competitors.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import {
  readJudgedKeywords,
  standingSpots,
  type JudgedKeyword,
  type Spot,
} from '../serps/judged-keywords.ts';
import { presentCompetitor, toRival, type CompetitorRecord } from './present-competitor.ts';
import { readRivalPlaces } from './read-rival-places.ts';
import type { Place } from './rival-places.ts';
import { countVerdicts, judge } from './verdict.ts';

/** The live competitors of an app in the order in which they were added, judged on its keywords in one country or in all. Throws not_found. */
export async function listCompetitors(
  ctx: Ctx,
  appId: number,
  query: { country?: string | undefined },
): Promise<{ items: CompetitorRecord[]; nextCursor: null; total: number }> {
  const items = await inTenant(ctx, (tx) => readCompetitorRecords(tx, ctx, appId, query));
  return { items, nextCursor: null, total: items.length };
}

/** One live competitor. Throws not_found. */
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
  { country, ids = null }: { country?: string | undefined; ids?: number[] | null },
): Promise<CompetitorRecord[]> {
  const { keywords } = await readJudgedKeywords(tx, ctx, appId, { country });
  const rows = await listCompetitorRows(tx, ctx.workspaceId, appId, ids);
  return rows.length === 0 ? [] : withOverlap(tx, ctx, rows, keywords);
}

async function withOverlap(
  tx: Tx,
  ctx: Ctx,
  rows: readonly CompetitorRow[],
  keywords: readonly JudgedKeyword[],
): Promise<CompetitorRecord[]> {
  const spots = standingSpots(keywords, ctx.clock.now());
  const rivals = rows.map(toRival);
  const places = await readRivalPlaces(tx, spots, rivals);
  return rows.map((row, index) => {
    const verdicts = spots.flatMap((spot, number) => {
      const place = places.find(number, rivals[index]!);
      return place ? [judge(ownPlace(spot), place)] : [];
    });
    return presentCompetitor(row, ctx.stores, countVerdicts(verdicts));
  });
}

/** The app's own place at a spot, which is on the day of the keyword's newest cell. */
export function ownPlace({ keyword }: Spot): Place {
  return { position: keyword.latestPosition, depth: keyword.latestDepth! };
}
