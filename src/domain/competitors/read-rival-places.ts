import type { Tx } from '../../db/database.ts';
import { listRankDays, type DaysInMonth } from '../../db/queries/rank-months.ts';
import { dayIndexInMonth, monthOf, startOfDayMs, utcDayOf } from '../../lib/dates.ts';
import { ExaminedDays } from '../rankings/examined-days.ts';
import { readExaminedDays } from '../rankings/read-visible.ts';
import type { Spot } from '../serps/judged-keywords.ts';
import { readKeptPlaces } from '../serps/kept-places.ts';
import { RivalPlaces, type Rival } from './rival-places.ts';

/** Three statements at most. */
export async function readRivalPlaces(
  tx: Tx,
  spots: readonly Spot[],
  rivals: readonly Rival[],
): Promise<RivalPlaces> {
  if (spots.length === 0 || rivals.length === 0)
    return new RivalPlaces([], [], {
      kept: [],
      months: [],
      days: { first: 0, count: 0 },
      examined: new ExaminedDays([]),
    });
  const listingIds = [...new Set(rivals.map((rival) => rival.listingId))];
  const marketIds = [...new Set(spots.map((spot) => spot.keyword.marketId))];
  const firstDays = new Set(rivals.map((rival) => utcDayOf(rival.followedAt)));
  const beginnings = spots.filter(
    ({ keyword, date }) => firstDays.has(date) || keyword.createdAt.getTime() >= startOfDayMs(date),
  );
  const kept = await readKeptPlaces(tx, spots);
  const dates = [...new Set(spots.map((spot) => spot.date))];
  const days = spanInMonths(dates.map(dayIndexInMonth));
  const months = await listRankDays(tx, {
    listingIds,
    marketIds,
    months: [...new Set(dates.map(monthOf))],
    days,
  });
  const examined = await readExaminedDays(
    tx,
    beginnings.map((spot) => spot.keyword),
    beginnings.map((spot) => spot.date),
  );
  return new RivalPlaces(spots, rivals, { kept, months, days, examined });
}

/** The days of a month that hold all of these. */
function spanInMonths(indexes: readonly number[]): DaysInMonth {
  const first = Math.min(...indexes);
  return { first, count: Math.max(...indexes) - first + 1 };
}
