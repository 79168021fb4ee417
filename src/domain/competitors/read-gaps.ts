import type { z } from 'zod';
import type { competitors } from '../../contract/competitors.ts';
import { listCompetitors } from '../../db/queries/competitors.ts';
import { describePosition } from '../../lib/format-position.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { readJudgedKeywords, standingSpots, type Spot } from '../serps/judged-keywords.ts';
import { positionWeight } from '../visibility/visibility-index.ts';
import { ownPlace } from './list-competitors.ts';
import { nameOf, toRival } from './present-competitor.ts';
import { readRivalPlaces } from './read-rival-places.ts';
import type { Place } from './rival-places.ts';
import { judge } from './verdict.ts';

export type Gaps = z.input<(typeof competitors)['GET /apps/{id}/gaps']['responses'][200]>;
type Gap = Gaps['items'][number];

interface FoundGap {
  spot: Spot;
  competitorId: number;
  name: string;
  kind: Gap['kind'];
  own: Place;
  rival: Place;
  urgency: number;
}

/** A keyword whose traffic nobody has scored counts as one of the middle. */
const usualTraffic = 50;

/**
 * Keywords on which a competitor stands and the app does not, or stands behind it, by the newest day of each, at most
 * three days old. Most urgent first. Throws not_found, invalid_cursor.
 */
export async function readGaps(
  ctx: Ctx,
  appId: number,
  query: {
    country?: string | undefined;
    kind?: Gap['kind'] | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<Gaps> {
  const list = `gaps ${appId}`;
  const after = query.cursor === undefined ? null : readPlace(list, query.cursor);
  const found = await inTenant(ctx, async (tx) => {
    const { keywords } = await readJudgedKeywords(tx, ctx, appId, { country: query.country });
    const rows = await listCompetitors(tx, ctx.workspaceId, appId);
    const spots = standingSpots(keywords, ctx.clock.now());
    const rivals = rows.map(toRival);
    const places = await readRivalPlaces(tx, spots, rivals);
    return rows.flatMap((row, index) => {
      const rival = rivals[index]!;
      return spots.flatMap((spot, number): FoundGap[] => {
        const [own, place] = [ownPlace(spot), places.find(number, rival)];
        const kind = place && judge(own, place);
        if ((kind !== 'pure' && kind !== 'behind') || (query.kind && query.kind !== kind))
          return [];
        return [
          {
            spot,
            competitorId: row.id,
            name: nameOf(row),
            kind,
            own,
            rival: place!,
            urgency: urgencyOf(own, place!, spot.keyword.traffic),
          },
        ];
      });
    });
  });
  found.sort((a, b) => compareGaps(placeOf(a), placeOf(b)));
  const rest = after ? found.filter((gap) => compareGaps(placeOf(gap), after) > 0) : found;
  const page = rest.slice(0, query.limit);
  const last = rest.length > page.length ? page.at(-1) : undefined;
  return {
    items: page.map(presentGap),
    nextCursor: last ? writeCursor(list, placeOf(last)) : null,
    total: found.length,
  };
}

/**
 * 0–100: what the app's place counts less than the competitor's on the visibility curve, times the keyword's traffic.
 * Only the first place against none on a keyword that everybody searches is 100.
 */
export function urgencyOf(own: Place, rival: Place, traffic: number | null): number {
  const lost = Math.max(0, positionWeight(rival.position) - positionWeight(own.position));
  // The square root, since nearly all that can be won lies in the first places: 10th against none is 32 of 100, not 10.
  return Math.round(Math.sqrt(lost) * (traffic ?? usualTraffic));
}

function presentGap({ spot, own, rival, ...gap }: FoundGap): Gap {
  const { id: keywordId, phrase, country, traffic } = spot.keyword;
  const placesBehind =
    own.position === null || rival.position === null ? null : own.position - rival.position;
  return {
    keywordId,
    phrase,
    country,
    competitorId: gap.competitorId,
    competitorName: gap.name,
    kind: gap.kind,
    urgency: gap.urgency,
    evidence: { date: spot.date, own, competitor: rival, placesBehind, traffic },
    explanation: `On ${spot.date}: ${gap.name} at ${describePosition(rival)}, your app ${describePosition(own)}.`,
  };
}

type GapPlace = [urgency: number, keywordId: number, competitorId: number];

function placeOf({ urgency, spot, competitorId }: FoundGap): GapPlace {
  return [urgency, spot.keyword.id, competitorId];
}

function compareGaps(a: GapPlace, b: GapPlace): number {
  return b[0] - a[0] || a[1] - b[1] || a[2] - b[2];
}

function readPlace(list: string, cursor: string): GapPlace {
  const parts = readCursor(list, cursor, 3);
  if (!parts.every((part) => typeof part === 'number')) throw new AppError('invalid_cursor');
  return parts as GapPlace;
}
