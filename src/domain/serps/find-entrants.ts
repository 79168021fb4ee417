import type { UtcDay } from '../../lib/dates.ts';

/** The kept places of one market on one day. */
export interface DayPlaces {
  date: UtcDay;
  listingIds: readonly number[];
  knownPlaces: number;
}

export interface Entrant {
  date: UtcDay;
  listingId: number;
  position: number;
  /** Checked days before on which it stood nowhere among the kept places. */
  comparedDays: number;
}

export const comparedDaysMax = 7;

/**
 * Who stands in the first `top` places of a market and stood nowhere in its kept places on the last seven checked days
 * before. `days` oldest first, without gaps in meaning: days that were not checked are simply not there. A day that
 * knows fewer than `top` places cannot say that somebody was missing and is passed over; before the first day that can
 * say so there are no entrants.
 */
export function findEntrants(
  days: readonly DayPlaces[],
  input: { from: UtcDay; top: number },
): Entrant[] {
  const entrants: Entrant[] = [];
  // How many days that can say so lay before each; one that is passed over counts with the last of them.
  const numbers: number[] = [];
  let compared = 0;
  for (const [index, { date, listingIds, knownPlaces }] of days.entries()) {
    if (date >= input.from && compared > 0) {
      const before = { numbers, since: compared - comparedDaysMax };
      for (const [place, listingId] of listingIds.slice(0, input.top).entries()) {
        if (!stoodBefore(days, index, listingId, before))
          entrants.push({
            date,
            listingId,
            position: place + 1,
            comparedDays: Math.min(compared, comparedDaysMax),
          });
      }
    }
    const isCompared = knownPlaces >= input.top;
    numbers.push(isCompared ? compared : compared - 1);
    if (isCompared) compared += 1;
  }
  return entrants;
}

/** Most stood there the day before: looking back takes less than remembering everybody. */
function stoodBefore(
  days: readonly DayPlaces[],
  index: number,
  listingId: number,
  { numbers, since }: { numbers: readonly number[]; since: number },
): boolean {
  for (let at = index - 1; at >= 0 && numbers[at]! >= since; at -= 1)
    if (days[at]!.listingIds.includes(listingId)) return true;
  return false;
}
