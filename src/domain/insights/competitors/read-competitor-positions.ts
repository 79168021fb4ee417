import type { Tx } from '#db/database.ts';
import { listRankDays, type DaysInMonth } from '#db/queries/rankings/rank-months.ts';
import { dayIndexInMonth, monthOf, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { ExaminedDays } from '#domain/tracking/rankings/examined-days.ts';
import { loadExaminedDays } from '#domain/tracking/rankings/load-visible-rows.ts';
import type { Spot } from '#domain/tracking/serps/live-keywords.ts';
import { loadStoredPositions } from '#domain/tracking/serps/stored-positions.ts';
import { CompetitorPositions, type TrackedCompetitor } from './competitor-positions.ts';

/** Takes at most three statements. */
export async function readCompetitorPositions(
  tx: Tx,
  spots: readonly Spot[],
  competitors: readonly TrackedCompetitor[],
): Promise<CompetitorPositions> {
  if (spots.length === 0 || competitors.length === 0)
    return new CompetitorPositions([], [], {
      kept: [],
      months: [],
      days: { first: 0, count: 0 },
      examined: new ExaminedDays([]),
    });
  const listingIds = [...new Set(competitors.map((competitor) => competitor.listingId))];
  const marketIds = [...new Set(spots.map((spot) => spot.keyword.marketId))];
  const firstDays = new Set(competitors.map((competitor) => utcDayOf(competitor.followedAt)));
  const beginnings = spots.filter(
    ({ keyword, date }) => firstDays.has(date) || keyword.createdAt.getTime() >= startOfDayMs(date),
  );
  const kept = await loadStoredPositions(tx, spots);
  const dates = [...new Set(spots.map((spot) => spot.date))];
  const days = spanInMonths(dates.map(dayIndexInMonth));
  const months = await listRankDays(tx, {
    listingIds,
    marketIds,
    months: [...new Set(dates.map(monthOf))],
    days,
  });
  const examined = await loadExaminedDays(
    tx,
    beginnings.map((spot) => spot.keyword),
    beginnings.map((spot) => spot.date),
  );
  return new CompetitorPositions(spots, competitors, { kept, months, days, examined });
}

/** The days of a month that contain all of these. */
function spanInMonths(indexes: readonly number[]): DaysInMonth {
  const first = Math.min(...indexes);
  return { first, count: Math.max(...indexes) - first + 1 };
}
