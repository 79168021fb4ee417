import type { z } from 'zod';
import type { charts } from '#contract/charts.ts';
import { addDays, listDays, minDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { positionsGained } from '../rankings/rank-change.ts';
import { isRead, positionIn, loadChartDays, type ChartDays, type ChartKey } from './chart-days.ts';
import { isFollowed, rankableChartsOn, type FollowedCharts } from './followed-charts.ts';
import { getFollowedCharts, toIds } from './get-category-ranks.ts';

export type CategoryPivot = z.input<
  (typeof charts)['GET /apps/{id}/category-ranks/pivot']['responses'][200]
>;
type PivotPosition = CategoryPivot['rows'][number]['cells'][number];

/** The maximum age of the day that positions are compared with. */
const lookbackDays = 3;
/** By default the latest day with charts is shown, unless it is older than this. */
const newestWithinDays = 30;

/**
 * The positions of a day, countries by charts. Null where the app was not tracked in the country on
 * that day. Throws not_found.
 */
export async function getCategoryPivot(
  ctx: Ctx,
  appId: number,
  query: { date?: UtcDay | undefined },
): Promise<CategoryPivot> {
  const today = utcDayOf(ctx.clock.now());
  return inTenant(ctx, async (tx) => {
    const app = await getFollowedCharts(tx, ctx, appId);
    const countries = [...app.countries.keys()].sort();
    const to = minDay(query.date ?? today, today);
    const from = addDays(to, -(query.date === undefined ? newestWithinDays : 0) - lookbackDays);
    const days = await loadChartDays(tx, app, { from, to, countries });
    const date =
      query.date ??
      findNewest(app, days, countries, { from: addDays(from, lookbackDays), to }) ??
      today;
    const columns = rankableChartsOn(app, date);
    const rows = countries
      .filter((country) => isFollowed(app, country, date))
      .map((country) => ({
        country,
        cells: columns.map((column) =>
          readPosition(app, days, toIds({ country, ...column }), date),
        ),
      }));
    return { date, columns, rows };
  });
}

function findNewest(
  app: FollowedCharts,
  days: ChartDays,
  countries: string[],
  range: { from: UtcDay; to: UtcDay },
): UtcDay | undefined {
  return listDays(range.from, range.to).findLast((date) =>
    rankableChartsOn(app, date).some((chart) =>
      countries.some(
        (country) =>
          isFollowed(app, country, date) && isRead(days.find(toIds({ country, ...chart }), date)),
      ),
    ),
  );
}

function readPosition(
  app: FollowedCharts,
  days: ChartDays,
  key: ChartKey,
  date: UtcDay,
): PivotPosition {
  const day = days.find(key, date);
  if (!isRead(day)) return { state: 'not_checked', reason: day?.reason ?? 'not_yet_run' };
  const position = positionIn(day);
  const before = findBefore(app, days, key, date);
  const change =
    before === null ? null : positionsGained(before, { date, position, depth: day.depth });
  return {
    state: position === null ? 'not_found' : 'ranked',
    position,
    depth: day.depth,
    change,
    before,
  };
}

/** The nearest earlier day with a chart, as far as it is visible. */
function findBefore(app: FollowedCharts, days: ChartDays, key: ChartKey, date: UtcDay) {
  for (let back = 1; back <= lookbackDays; back += 1) {
    const earlier = addDays(date, -back);
    const day = days.find(key, earlier);
    if (isRead(day) && isFollowed(app, key.country, earlier))
      return { date: earlier, position: positionIn(day), depth: day.depth };
  }
  return null;
}
