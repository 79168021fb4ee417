import type { z } from 'zod';
import type { Fact } from '#contract/imported-facts.ts';
import type { scores } from '#contract/scores.ts';
import { listScoreRows, type ScoreRow } from '#db/queries/scores/keyword-scores.ts';
import { findMarketName } from '#db/queries/scores/scores.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { readImportedFacts } from '#domain/tracking/imported-facts/read-imported-facts.ts';
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
 * keyword, followed by imported ones. Throws not_found, invalid_request, invalid_cursor.
 */
export function listScores(ctx: Ctx, keywordId: number, query: ScoreQuery): Promise<ScoreList> {
  const now = ctx.clock.now();
  const range = parseDayRange(query, now);
  const list = `scores ${keywordId}`;
  const { before, skipped } =
    query.cursor === undefined ? { before: null, skipped: 0 } : readScoreCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { marketId, trackingPeriods } = await getFollowed(tx, ctx, keywordId);
    const market = (await findMarketName(tx, marketId))!;
    const filter = { marketId, ...range, spans: trackedSpans(trackingPeriods, utcDayOf(now)) };
    const { rows, total } = await listScoreRows(tx, { ...filter, before, limit: query.limit + 1 });
    const own = rows.slice(0, query.limit);
    const elsewhere = await readImportedFacts(tx, ctx, { kind: 'scores', keywordId, ...range });
    const imported = elsewhere.slice(skipped, skipped + query.limit - own.length);
    const seen = skipped + imported.length;
    const isLast = rows.length === own.length && seen === elsewhere.length;
    return {
      store: market.store,
      items: [...own.map((row) => toItem(row, trackingPeriods)), ...imported.map(toImportedItem)],
      nextCursor: isLast ? null : writeCursor(list, [own.at(-1)?.id ?? before ?? 0, seen]),
      total: total + elsewhere.length,
    };
  });
}

/** The last score of this instance, after which imported ones follow, and the number of those. */
function readScoreCursor(list: string, cursor: string): { before: number; skipped: number } {
  const [before, skipped] = readCursor(list, cursor, 2).map((part) =>
    typeof part === 'number' && Number.isSafeInteger(part) && part >= 0 ? part : null,
  ) as [number | null, number | null];
  if (before === null || skipped === null) throw new AppError('invalid_cursor');
  return { before, skipped };
}

function toImportedItem({ scoredAt, traffic, difficulty, provenance }: Fact<'scores'>) {
  return { scoredAt, traffic, difficulty, provenance };
}

/** Only `scoreMarkets` writes provenances. */
export function toItem(
  { scoredAt, traffic, difficulty, provenance }: Omit<ScoreRow, 'id'>,
  trackingPeriods: readonly TrackingPeriod[],
): ScoreList['items'][number] {
  return {
    scoredAt: toOwnInstant(trackingPeriods, scoredAt).toISOString(),
    traffic,
    difficulty,
    provenance: provenance as Provenance | null,
  };
}
