import type { z } from 'zod';
import type { scores } from '#contract/scores.ts';
import { listScoreRows, type ScoreRow } from '#db/queries/scores/keyword-scores.ts';
import { findMarketName } from '#db/queries/scores/scores.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readIdCursor, writeCursor } from '#domain/base/cursor.ts';
import { getFollowed } from '#domain/tracking/rankings/followed-keywords.ts';
import {
  toOwnInstant,
  trackedSpans,
  type TrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { parseDayRange } from '#domain/base/day-window.ts';
import type { Provenance } from './evidence.ts';

type Operation = (typeof scores)['GET /keywords/{keywordId}/scores'];
export type ScoreQuery = z.output<Operation['query']>;
export type ScoreList = z.input<Operation['responses'][200]>;

/**
 * A keyword's scores, newest first: those from evidence of days when this workspace tracked the
 * keyword. Throws not_found, invalid_request, invalid_cursor.
 */
export function listScores(ctx: Ctx, keywordId: number, query: ScoreQuery): Promise<ScoreList> {
  const now = ctx.clock.now();
  const range = parseDayRange(query, now);
  const list = `scores ${keywordId}`;
  const before = query.cursor === undefined ? null : readIdCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { marketId, trackingPeriods } = await getFollowed(tx, ctx, keywordId);
    const market = (await findMarketName(tx, marketId))!;
    const filter = { marketId, ...range, spans: trackedSpans(trackingPeriods, utcDayOf(now)) };
    const { rows, total } = await listScoreRows(tx, { ...filter, before, limit: query.limit + 1 });
    const page = rows.slice(0, query.limit);
    const nextCursor = rows.length > query.limit ? writeCursor(list, [page.at(-1)!.id]) : null;
    return {
      store: market.store,
      items: page.map((row) => toItem(row, trackingPeriods)),
      nextCursor,
      total,
    };
  });
}

/** Only `scoreMarkets` fills the column. */
export function toItem(
  { scoredAt, traffic, difficulty, provenance }: Omit<ScoreRow, 'id'>,
  trackingPeriods: readonly TrackingPeriod[],
): ScoreList['items'][number] {
  return {
    scoredAt: toOwnInstant(trackingPeriods, scoredAt).toISOString(),
    traffic,
    difficulty,
    provenance: provenance as Provenance,
  };
}
