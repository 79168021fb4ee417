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
  if (spots.length === 0 || competitors.length === 0) return noPositions();
  const kept = await loadStoredPositions(tx, spots);
  const positions = await readRanks(tx, spots, competitors);
  for (const [number, stored] of kept.entries()) positions.addStored(number, stored);
  return positions;
}

/**
 * The same for one competitor on many spots. The stored results, which are many times larger than
 * ranks, are read only where its rank is not known to the depth of the keyword.
 */
export async function readNeededPositions(
  tx: Tx,
  spots: readonly Spot[],
  competitor: TrackedCompetitor,
): Promise<CompetitorPositions> {
  if (spots.length === 0) return noPositions();
  const positions = await readRanks(tx, spots, [competitor]);
  const numbers = [...spots.keys()].filter((number) => !positions.isComplete(number, competitor));
  const kept = await loadStoredPositions(
    tx,
    numbers.map((number) => spots[number]!),
  );
  for (const [at, number] of numbers.entries()) positions.addStored(number, kept[at]!);
  return positions;
}

const noPositions = () =>
  new CompetitorPositions([], [], {
    months: [],
    days: { first: 0, count: 0 },
    examined: new ExaminedDays([]),
  });

async function readRanks(
  tx: Tx,
  spots: readonly Spot[],
  competitors: readonly TrackedCompetitor[],
): Promise<CompetitorPositions> {
  const listingIds = [...new Set(competitors.map((competitor) => competitor.listingId))];
  const marketIds = [...new Set(spots.map((spot) => spot.keyword.marketId))];
  const firstDays = new Set(competitors.map((competitor) => utcDayOf(competitor.followedAt)));
  const beginnings = spots.filter(
    ({ keyword, date }) => firstDays.has(date) || keyword.createdAt.getTime() >= startOfDayMs(date),
  );
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
  return new CompetitorPositions(spots, competitors, { months, days, examined });
}

/** The days of a month that contain all of these. */
function spanInMonths(indexes: readonly number[]): DaysInMonth {
  const first = Math.min(...indexes);
  return { first, count: Math.max(...indexes) - first + 1 };
}
