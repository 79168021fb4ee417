import type { z } from 'zod';
import type { charts } from '../../contract/charts.ts';
import { addDays, listDays, minDay, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { placesGained } from '../rankings/rank-change.ts';
import { isRead, positionIn, readChartDays, type ChartDays, type ChartSpot } from './chart-days.ts';
import { isFollowed, wantedOn, type FollowedCharts } from './followed-charts.ts';
import { getFollowedCharts, toIds } from './read-category-ranks.ts';

export type CategoryPivot = z.input<
  (typeof charts)['GET /apps/{id}/category-ranks/pivot']['responses'][200]
>;
type PivotCell = CategoryPivot['rows'][number]['cells'][number];

/** How far back the day may lie that a place is compared with. */
const reachDays = 3;
/** Without a word the newest day with an answer is shown, if it is not older than this. */
const newestWithinDays = 30;

/** A day's places, countries by charts. Null where the app was not followed in the country that day. Throws not_found. */
export async function readPivot(
  ctx: Ctx,
  appId: number,
  query: { date?: UtcDay | undefined },
): Promise<CategoryPivot> {
  const today = utcDayOf(ctx.clock.now());
  return inTenant(ctx, async (tx) => {
    const app = await getFollowedCharts(tx, ctx, appId);
    const countries = [...app.countries.keys()].sort();
    const to = minDay(query.date ?? today, today);
    const from = addDays(to, -(query.date === undefined ? newestWithinDays : 0) - reachDays);
    const days = await readChartDays(tx, app, { from, to, countries });
    const date =
      query.date ??
      findNewest(app, days, countries, { from: addDays(from, reachDays), to }) ??
      today;
    const columns = wantedOn(app, date);
    const rows = countries
      .filter((country) => isFollowed(app, country, date))
      .map((country) => ({
        country,
        cells: columns.map((column) => readCell(app, days, toIds({ country, ...column }), date)),
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
    wantedOn(app, date).some((wanted) =>
      countries.some(
        (country) =>
          isFollowed(app, country, date) && isRead(days.find(toIds({ country, ...wanted }), date)),
      ),
    ),
  );
}

function readCell(app: FollowedCharts, days: ChartDays, spot: ChartSpot, date: UtcDay): PivotCell {
  const day = days.find(spot, date);
  if (!isRead(day)) return { state: 'not_checked', reason: day?.reason ?? 'not_yet_run' };
  const position = positionIn(day);
  const before = findBefore(app, days, spot, date);
  const change =
    before === null ? null : placesGained(before, { date, position, depth: day.depth });
  return {
    state: position === null ? 'not_found' : 'ranked',
    position,
    depth: day.depth,
    change,
    before,
  };
}

/** The nearest day read before, as far as it may be seen. */
function findBefore(app: FollowedCharts, days: ChartDays, spot: ChartSpot, date: UtcDay) {
  for (let back = 1; back <= reachDays; back += 1) {
    const earlier = addDays(date, -back);
    const day = days.find(spot, earlier);
    if (isRead(day) && isFollowed(app, spot.country, earlier))
      return { date: earlier, position: positionIn(day), depth: day.depth };
  }
  return null;
}
