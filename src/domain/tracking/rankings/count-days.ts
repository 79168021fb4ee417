import { countRunDay, forgetCountedDay, listUncountedDays } from '#db/queries/runs/run-counts.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

const daysAtOnce = 10;
/** The maximum number of days that one request may reach back. */
const lookbackDays = 400;

/**
 * Counts the results of all workspaces' markets on closed days. Counting yesterday also recounts
 * the day before, for which late results have arrived. Returns the number of counted days.
 */
export async function countDays(services: Pick<Services, 'systemDb' | 'clock'>): Promise<number> {
  const today = utcDayOf(services.clock.now());
  const days = await listUncountedDays(services.systemDb, {
    today,
    lookbackDays,
    limit: daysAtOnce,
  });
  const again = days[0] === addDays(today, -1) && days.length === 1 ? [addDays(today, -2)] : [];
  for (const day of [...days, ...again]) await inSystem(services, (tx) => countRunDay(tx, day));
  return days.length;
}

/** Call it after writing to a past day, so that it is counted again. */
export async function recountPastDay(
  services: Pick<Services, 'systemDb' | 'clock'>,
  day: UtcDay,
): Promise<void> {
  if (day < utcDayOf(services.clock.now()))
    await inSystem(services, (tx) => forgetCountedDay(tx, day));
}
