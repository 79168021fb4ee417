import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import { listCompetitors } from '#db/queries/competitors/competitors.ts';
import { describePosition } from '#lib/format-position.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { loadWordLocator } from '#domain/tracking/listings/locate-words.ts';
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
import { readLatestPositions } from './read-competitor-positions.ts';
import type { CompetitorPositions, Position, TrackedCompetitor } from './competitor-positions.ts';
import { verdictOf } from './verdict.ts';

export type Gaps = z.input<(typeof competitors)['GET /apps/{id}/gaps']['responses'][200]>;
type Gap = Gaps['items'][number];

interface FoundGap {
  spot: Spot;
  /** Of the competitor, in the list of all. */
  index: number;
  competitorId: number;
  kind: Gap['kind'];
  own: Position;
  competitor: Position;
  urgency: number;
}

/** A keyword without a traffic score counts as medium. */
const usualTraffic = 50;
const maxUrgency = 100;

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
    const positions = await readLatestPositions(tx, spots, competitors);
    const markets = keywords.map(({ country }) => ({ appId, country }));
    const locate = await loadWordLocator(tx, ctx, markets);
    const found = rankGaps(spots, competitors, positions, query.kind);
    const page = cutPage(found, after, query.limit);
    const shown = page.slice(0, query.limit);
    const results = await loadResultCounts(
      tx,
      shown.map(({ spot }) => toMarketDay(spot)),
    );
    return {
      items: shown.map((gap) => ({
        ...presentGap(gap, nameOf(rows[gap.index]!), results),
        words: locate({ appId, ...gap.spot.keyword }),
      })),
      nextCursor: page.length > shown.length ? writeCursor(list, cursorOf(shown.at(-1)!)) : null,
      total: found.reduce((sum, gaps) => sum + gaps.length, 0),
    };
  });
}

/**
 * The gaps by urgency, 0–100; within one by keyword and competitor, as spots and competitors are
 * ordered.
 */
function rankGaps(
  spots: readonly Spot[],
  competitors: readonly TrackedCompetitor[],
  positions: CompetitorPositions,
  requested: Gap['kind'] | undefined,
): FoundGap[][] {
  const found = Array.from({ length: maxUrgency + 1 }, (): FoundGap[] => []);
  for (const [number, spot] of spots.entries()) {
    const own = ownPosition(spot);
    for (const [index, competitor] of competitors.entries()) {
      if (!positions.isFound(number, competitor)) continue;
      const position = positions.find(number, competitor)!;
      const kind = verdictOf(own, position);
      if ((kind !== 'pure' && kind !== 'behind') || (requested && requested !== kind)) continue;
      const urgency = urgencyOf(own, position, spot.keyword.traffic);
      found[urgency]!.push({
        spot,
        index,
        competitorId: competitor.id,
        kind,
        own,
        competitor: position,
        urgency,
      });
    }
  }
  return found;
}

/** The gaps after a cursor, and one more than the page if there are more. */
function cutPage(
  found: readonly (readonly FoundGap[])[],
  after: GapCursor | null,
  limit: number,
): FoundGap[] {
  const page: FoundGap[] = [];
  for (const gaps of found.toReversed()) {
    for (const gap of gaps) {
      if (after && compareGaps(cursorOf(gap), after) <= 0) continue;
      if (page.push(gap) > limit) return page;
    }
  }
  return page;
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
  competitorName: string,
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
    competitorName,
    kind: gap.kind,
    urgency: gap.urgency,
    evidence: { date: spot.date, own, competitor, positionsBehind, traffic },
    explanation:
      `On ${spot.date}: ${competitorName} at ${describePosition(competitor)}, your app ` +
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
