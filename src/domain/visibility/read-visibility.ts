import type { z } from 'zod';
import type { visibility } from '../../contract/visibility.ts';
import { inTenant, type Ctx } from '../context.ts';
import { positionOf } from '../rankings/cells.ts';
import { readVisibleRows } from '../rankings/read-visible.ts';
import { isFollowed } from '../rankings/terms.ts';
import type { VisibleRow } from '../rankings/visible.ts';
import { readDayRange, windowOf, type DayRange } from '../rankings/window.ts';
import { readJudgedKeywords } from '../serps/judged-keywords.ts';
import { DayTally, keywordWeights, visibilityFormula } from './visibility-index.ts';

export type Visibility = z.input<
  (typeof visibility)['GET /apps/{id}/visibility']['responses'][200]
>;

/**
 * How visible an app is, day by day, oldest first. All days are weighed by today's scores, so that the line moves for
 * one reason alone: positions. Throws not_found, invalid_request.
 */
export async function readVisibility(
  ctx: Ctx,
  appId: number,
  query: DayRange & { country?: string | undefined },
): Promise<Visibility> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const { rows, traffic } = await inTenant(ctx, async (tx) => {
    const { app, keywords } = await readJudgedKeywords(tx, ctx, appId, { country: query.country });
    const followed = keywords.map((keyword) => ({ ...keyword, listingId: app.listingId }));
    return {
      rows: await readVisibleRows(tx, window, followed),
      traffic: keywords.map((keyword) => keyword.traffic),
    };
  });
  const weights = keywordWeights(traffic);
  const scored = traffic.filter((score) => score !== null).length;
  const tallies = window.days.map(() => new DayTally());
  for (const [index, row] of rows.entries()) countRow(row, weights[index]!, tallies);
  const items = window.days.map((date, day) => {
    const { index, coverage, ...counts } = tallies[day]!.measure();
    return { date, index: round(index, 2), coverage: round(coverage, 4), ...counts };
  });
  const inputs = {
    weighting: scored > 0 ? ('traffic' as const) : ('equal' as const),
    keywords: rows.length,
    scored,
  };
  return {
    country: query.country ?? null,
    formula: visibilityFormula,
    inputs,
    items,
    nextCursor: null,
    total: items.length,
  };
}

/** Adds a keyword to each day on which it was followed. */
function countRow(
  { cells, terms }: VisibleRow,
  weight: number,
  tallies: readonly DayTally[],
): void {
  for (const [day, tally] of tallies.entries()) {
    if (isFollowed(terms[day]!)) tally.add(positionOf(cells[day]!), weight);
  }
}

function round(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}
