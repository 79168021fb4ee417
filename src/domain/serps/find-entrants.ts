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
export function findEntrants(days: readonly DayPlaces[], input: { from: UtcDay; top: number }): Entrant[] {
  const lastSeen = new Map<number, number>();
  const entrants: Entrant[] = [];
  let compared = 0;
  for (const { date, listingIds, knownPlaces } of days) {
    if (date >= input.from && compared > 0) {
      for (const [index, listingId] of listingIds.slice(0, input.top).entries()) {
        const seen = lastSeen.get(listingId);
        if (seen === undefined || compared - seen > comparedDaysMax)
          entrants.push({ date, listingId, position: index + 1, comparedDays: Math.min(compared, comparedDaysMax) });
      }
    }
    const number = knownPlaces >= input.top ? compared : compared - 1;
    for (const listingId of listingIds) lastSeen.set(listingId, number);
    if (knownPlaces >= input.top) compared += 1;
  }
  return entrants;
}
