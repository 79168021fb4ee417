import { countRunDay, forgetCountedDay, listUncountedDays } from '../../db/queries/run-counts.ts';
import { addDays, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';

const daysAtOnce = 10;
/** As far back as one request may reach. */
const reachDays = 400;

/**
 * Counts how all workspaces' markets met the days that are over and closed. The day before yesterday is counted once more
 * with yesterday: whatever came late to it is there by then. Returns how many days were counted.
 */
export async function countDays(services: Pick<Services, 'systemDb' | 'clock'>): Promise<number> {
  const today = utcDayOf(services.clock.now());
  const days = await listUncountedDays(services.systemDb, { today, reachDays, limit: daysAtOnce });
  const again = days[0] === addDays(today, -1) && days.length === 1 ? [addDays(today, -2)] : [];
  for (const day of [...days, ...again]) await inSystem(services, (tx) => countRunDay(tx, day));
  return days.length;
}

/** To be told after something was written of a day: one that is over is counted again. */
export async function recountWhenOver(
  services: Pick<Services, 'systemDb' | 'clock'>,
  day: UtcDay,
): Promise<void> {
  if (day < utcDayOf(services.clock.now()))
    await inSystem(services, (tx) => forgetCountedDay(tx, day));
}
