import type { Tx } from '#db/database.ts';
import { listLastRanks } from '#db/queries/rankings/last-ranks.ts';
import { listRankDays, type DaysInMonth } from '#db/queries/rankings/rank-months.ts';
import { dayIndexInMonth, monthOf, startOfDayMs } from '#lib/dates.ts';
import { ExaminedDays } from '#domain/tracking/rankings/examined-days.ts';
import { loadExaminedDays } from '#domain/tracking/rankings/load-visible-rows.ts';
import type { Spot } from '#domain/tracking/serps/live-keywords.ts';
import { loadStoredPositions } from '#domain/tracking/serps/stored-positions.ts';
import {
  CompetitorPositions,
  listEdgeDays,
  type TrackedCompetitor,
} from './competitor-positions.ts';

/** Takes at most three statements. */
export async function readCompetitorPositions(
  tx: Tx,
  spots: readonly Spot[],
  competitors: readonly TrackedCompetitor[],
): Promise<CompetitorPositions> {
  if (spots.length === 0 || competitors.length === 0) return noPositions();
  const positions = await createPositions(tx, spots, competitors);
  await addMonths(tx, positions, { spots, listingIds: competitors.map(toListingId) });
  await addStored(tx, positions, [...spots.entries()]);
  return positions;
}

/**
 * The same on the newest day of each keyword. The newest check of a market has the ranks of all
 * apps in one row; what it does not have is read from the months. Takes at most five statements.
 */
export async function readLatestPositions(
  tx: Tx,
  spots: readonly Spot[],
  competitors: readonly TrackedCompetitor[],
): Promise<CompetitorPositions> {
  if (spots.length === 0 || competitors.length === 0) return noPositions();
  const positions = await createPositions(tx, spots, competitors);
  const last = await listLastRanks(tx, {
    marketIds: spots.map((spot) => spot.keyword.marketId),
    dates: [...new Set(spots.map((spot) => spot.date))],
  });
  const { marketIds, listings } = positions.addLast(last);
  for (const missing of [
    { listingIds: competitors.map(toListingId), marketIds },
    { listingIds: [...listings.listingIds], marketIds: listings.marketIds },
  ])
    await addMonths(tx, positions, {
      listingIds: missing.listingIds,
      spots: spots.filter(({ keyword }) => missing.marketIds.has(keyword.marketId)),
    });
  await addStored(tx, positions, [...spots.entries()]);
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
  const positions = await createPositions(tx, spots, [competitor]);
  await addMonths(tx, positions, { spots, listingIds: [competitor.listingId] });
  await addStored(
    tx,
    positions,
    [...spots.entries()].filter(([number]) => !positions.isComplete(number, competitor)),
  );
  return positions;
}

const noPositions = () => new CompetitorPositions([], [], new ExaminedDays([]));

const toListingId = ({ listingId }: TrackedCompetitor): number => listingId;

async function createPositions(
  tx: Tx,
  spots: readonly Spot[],
  competitors: readonly TrackedCompetitor[],
): Promise<CompetitorPositions> {
  const edgeDays = new Set(competitors.flatMap(listEdgeDays));
  const edges = spots.filter(
    ({ keyword, date }) => edgeDays.has(date) || keyword.createdAt.getTime() >= startOfDayMs(date),
  );
  const examined = await loadExaminedDays(
    tx,
    edges.map((spot) => spot.keyword),
    edges.map((spot) => spot.date),
  );
  return new CompetitorPositions(spots, competitors, examined);
}

async function addMonths(
  tx: Tx,
  positions: CompetitorPositions,
  { spots, listingIds }: { spots: readonly Spot[]; listingIds: readonly number[] },
): Promise<void> {
  if (spots.length === 0 || listingIds.length === 0) return;
  const dates = [...new Set(spots.map((spot) => spot.date))];
  const days = spanInMonths(dates.map(dayIndexInMonth));
  const months = await listRankDays(tx, {
    listingIds: [...new Set(listingIds)],
    marketIds: [...new Set(spots.map((spot) => spot.keyword.marketId))],
    months: [...new Set(dates.map(monthOf))],
    days,
  });
  positions.addMonths(months, days);
}

async function addStored(
  tx: Tx,
  positions: CompetitorPositions,
  spots: readonly [number: number, Spot][],
): Promise<void> {
  const kept = await loadStoredPositions(
    tx,
    spots.map(([, spot]) => spot),
  );
  for (const [at, [number]] of spots.entries()) positions.addStored(number, kept[at]!);
}

/** The days of a month that contain all of these. */
function spanInMonths(indexes: readonly number[]): DaysInMonth {
  const first = Math.min(...indexes);
  return { first, count: Math.max(...indexes) - first + 1 };
}
