import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import { listCompetitors } from '#db/queries/competitors/competitors.ts';
import { describePosition } from '#lib/format-position.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { loadWordLocator } from '#domain/tracking/keywords/locate-words.ts';
import { marketFilterOf, type MarketFilter } from '#domain/tracking/rankings/followed-keywords.ts';
import { loadResultCounts, type ResultCounts } from '#domain/tracking/rankings/result-counts.ts';
import {
  loadLiveKeywords,
  latestSpots,
  toMarketDay,
  type Spot,
} from '#domain/tracking/serps/live-keywords.ts';
import { positionWeight } from '../visibility/visibility-index.ts';
import { ownPosition } from './list-competitors.ts';
import { nameOf, toCompetitorRef } from './present-competitor.ts';
import { readCompetitorPositions } from './read-competitor-positions.ts';
import type { Position } from './competitor-positions.ts';
import { verdictOf } from './verdict.ts';

export type Gaps = z.input<(typeof competitors)['GET /apps/{id}/gaps']['responses'][200]>;
type Gap = Gaps['items'][number];

interface FoundGap {
  spot: Spot;
  competitorId: number;
  name: string;
  kind: Gap['kind'];
  own: Position;
  competitor: Position;
  urgency: number;
}

/** A keyword without a traffic score counts as medium. */
const usualTraffic = 50;

/**
 * Keywords for which a competitor ranks and the app does not, or ranks lower, by the latest day of
 * each, at most three days old. Most urgent first. Throws not_found, invalid_cursor.
 */
export async function listGaps(
  ctx: Ctx,
  appId: number,
  query: MarketFilter & {
    kind?: Gap['kind'] | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<Gaps> {
  const list = `gaps ${appId}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { keywords } = await loadLiveKeywords(tx, ctx, appId, marketFilterOf(query));
    const rows = await listCompetitors(tx, ctx.workspaceId, appId);
    const spots = latestSpots(keywords, ctx.clock.now());
    const competitors = rows.map(toCompetitorRef);
    const positions = await readCompetitorPositions(tx, spots, competitors);
    const markets = keywords.map(({ country }) => ({ appId, country }));
    const locate = await loadWordLocator(tx, ctx, markets);
    const owns = spots.map(ownPosition);
    const found: FoundGap[] = [];
    for (const [index, row] of rows.entries()) {
      const name = nameOf(row);
      for (const [number, spot] of spots.entries()) {
        const own = owns[number]!;
        const position = positions.find(number, competitors[index]!);
        const kind = position && verdictOf(own, position);
        if ((kind !== 'pure' && kind !== 'behind') || (query.kind && query.kind !== kind)) continue;
        const urgency = urgencyOf(own, position!, spot.keyword.traffic);
        found.push({ spot, competitorId: row.id, name, kind, own, competitor: position!, urgency });
      }
    }
    const page = cutPage(found, after, query.limit);
    const spotsOfPage = page.gaps.map(({ spot }) => toMarketDay(spot));
    const results = await loadResultCounts(tx, spotsOfPage);
    return {
      items: page.gaps.map((gap) => ({
        ...presentGap(gap, results),
        words: locate({ appId, ...gap.spot.keyword }),
      })),
      nextCursor: page.last ? writeCursor(list, cursorOf(page.last)) : null,
      total: found.length,
    };
  });
}

function cutPage(
  found: FoundGap[],
  after: GapCursor | null,
  limit: number,
): { gaps: FoundGap[]; last: FoundGap | undefined } {
  found.sort(
    (a, b) =>
      b.urgency - a.urgency ||
      a.spot.keyword.id - b.spot.keyword.id ||
      a.competitorId - b.competitorId,
  );
  const rest = after ? found.filter((gap) => compareGaps(cursorOf(gap), after) > 0) : found;
  const gaps = rest.slice(0, limit);
  return { gaps, last: rest.length > gaps.length ? gaps.at(-1) : undefined };
}

/**
 * 0–100: the difference of the two positions on the visibility curve times the keyword's traffic.
 * Only position 1 against none, on a keyword with full traffic, gives 100.
 */
export function urgencyOf(own: Position, competitor: Position, traffic: number | null): number {
  const lost = Math.max(0, positionWeight(competitor.position) - positionWeight(own.position));
  // The square root, because nearly all visibility is in the first positions: 10 against none gives
  // 32, not 10.
  return Math.round(Math.sqrt(lost) * (traffic ?? usualTraffic));
}

function presentGap(
  { spot, competitor, ...gap }: FoundGap,
  results: ResultCounts,
): Omit<Gap, 'words'> {
  const own = { ...gap.own, ...results.of(toMarketDay(spot), gap.own) };
  const { id: keywordId, phrase, country, device, traffic } = spot.keyword;
  const positionsBehind =
    own.position === null || competitor.position === null
      ? null
      : own.position - competitor.position;
  return {
    keywordId,
    phrase,
    country,
    device,
    competitorId: gap.competitorId,
    competitorName: gap.name,
    kind: gap.kind,
    urgency: gap.urgency,
    evidence: { date: spot.date, own, competitor, positionsBehind, traffic },
    explanation:
      `On ${spot.date}: ${gap.name} at ${describePosition(competitor)}, your app ` +
      `${describePosition(own)}.`,
  };
}

type GapCursor = [urgency: number, keywordId: number, competitorId: number];

function cursorOf({ urgency, spot, competitorId }: FoundGap): GapCursor {
  return [urgency, spot.keyword.id, competitorId];
}

function compareGaps(a: GapCursor, b: GapCursor): number {
  return b[0] - a[0] || a[1] - b[1] || a[2] - b[2];
}

function readListCursor(list: string, cursor: string): GapCursor {
  const parts = readCursor(list, cursor, 3);
  if (!parts.every((part) => typeof part === 'number')) throw new AppError('invalid_cursor');
  return parts as GapCursor;
}
