import {
  countNextDay,
  deleteCountedDay,
  listUncountedDays,
  requestCounts,
  requestRecounts,
} from '#db/queries/runs/run-counts.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { isClockPlausible } from '#domain/base/plausible-clock.ts';

const daysAtOnce = 10;
/** The maximum number of days that one request may reach back. */
const lookbackDays = 400;
const stepMs = 300;

/**
 * Counts the results of markets on closed days: one workspace and day at a time, for a third of a
 * second. A day is due for each workspace once it is closed, and again for those whose results
 * changed later. Returns how many were counted.
 */
export async function countDays(services: Pick<Services, 'systemDb' | 'clock'>): Promise<number> {
  const endMs = performance.now() + stepMs;
  const today = utcDayOf(services.clock.now());
  // A clock that was ahead may have counted it, and nothing counts it again before it is over.
  await deleteCountedDay(services.systemDb, today);
  const days = await listUncountedDays(services.systemDb, {
    today,
    lookbackDays,
    limit: daysAtOnce,
  });
  if (days.length > 0 && (await isClockPlausible(services)))
    for (const day of days) await inSystem(services, (tx) => requestCounts(tx, day));
  let count = 0;
  while (performance.now() < endMs && (await inSystem(services, countNextDay))) count += 1;
  return count;
}

/** Call it after writing to a past day: workspaces that track the markets are counted again. */
export async function recountPastDay(
  services: Pick<Services, 'systemDb' | 'clock'>,
  day: UtcDay,
  marketIds: readonly number[],
): Promise<void> {
  if (day < utcDayOf(services.clock.now()))
    await requestRecounts(services.systemDb, day, marketIds);
}
