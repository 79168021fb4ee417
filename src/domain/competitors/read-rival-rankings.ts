import type { z } from 'zod';
import type { competitors } from '../../contract/competitors.ts';
import { listCompetitors } from '../../db/queries/competitors.ts';
import { startOfDayMs } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { listSpots } from '../rankings/cell-list.ts';
import { readPlace, writePlace } from '../rankings/cursor.ts';
import { readExaminedDays, readVisibleRows } from '../rankings/read-visible.ts';
import { readDayRange, windowOf, type DayRange } from '../rankings/window.ts';
import { readJudgedKeywords, type Spot } from '../serps/judged-keywords.ts';
import { toRival } from './present-competitor.ts';
import { readRivalPlaces } from './read-rival-places.ts';

export type RivalRankings = z.input<
  (typeof competitors)['GET /apps/{id}/competitors/{cid}/rankings']['responses'][200]
>;

export interface RivalRankingsQuery extends DayRange {
  country?: string | undefined;
  keywordId?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Where a competitor stands on the app's keywords, newest day first, on days on which the app has a cell: within the
 * depth that is really known, which on days before it was added is the kept one. A day of which nothing is known has
 * no cell, so a page may be shorter than asked for. Throws not_found, invalid_request, invalid_cursor.
 */
export async function readRivalRankings(
  ctx: Ctx,
  target: { appId: number; id: number },
  query: RivalRankingsQuery,
): Promise<RivalRankings> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const after = query.cursor === undefined ? null : readPlace(query.cursor);
  const window = windowOf(from, to);
  return inTenant(ctx, async (tx) => {
    const { app, keywords } = await readJudgedKeywords(tx, ctx, target.appId, query);
    const [row] = await listCompetitors(tx, ctx.workspaceId, target.appId, [target.id]);
    if (!row) throw notFound();
    const followed = keywords.map((keyword) => ({ ...keyword, listingId: app.listingId }));
    const rows = await readVisibleRows(tx, window, followed);
    const page = listSpots(window.days, rows, { hasGaps: false, after, limit: query.limit });
    const keywordOf = new Map(keywords.map((keyword) => [keyword.id, keyword]));
    const spots = page.spots.map(({ row: { keywordId }, index }): Spot => ({
      keyword: keywordOf.get(keywordId)!,
      date: window.days[index]!,
    }));
    const [rival, last] = [toRival(row), spots.at(-1)];
    const places = await readRivalPlaces(tx, spots, [rival]);
    const examined = await readExaminedDays(
      tx,
      spots.map((spot) => spot.keyword),
      spots.map((spot) => spot.date),
    );
    const items = spots.flatMap(({ keyword, date }, number) => {
      const place = places.find(number, rival);
      if (!place) return [];
      const checkedAt = new Date(
        startOfDayMs(date) + (examined.find(keyword.marketId, date)?.seconds ?? 0) * 1000,
      ).toISOString();
      return [
        {
          date,
          keywordId: keyword.id,
          state: place.position === null ? ('not_found' as const) : ('ranked' as const),
          ...place,
          checkedAt,
        },
      ];
    });
    return {
      items,
      nextCursor:
        page.hasMore && last ? writePlace({ date: last.date, keywordId: last.keyword.id }) : null,
      total: null,
    };
  });
}
