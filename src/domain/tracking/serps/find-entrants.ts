import { daysBetween, type UtcDay } from '#lib/dates.ts';

/** The stored results of one market on one day. */
export interface DayPositions {
  date: UtcDay;
  /** Four bytes for each listing, first position first; and the same as numbers. */
  ids: Buffer;
  listingIds: readonly number[];
  provider: string;
  /** Presence and absence are known within this depth. */
  knownPositions: number;
}

export interface Entrant {
  date: UtcDay;
  listingId: number;
  position: number;
  /** Checked days before on which it was absent from the stored results. */
  comparedDays: number;
}

const comparedDaysMax = 7;
/** Older days are compared with none, so the days from this long before `from` suffice. */
export const lookbackDays = 14;

/**
 * Apps in the first `top` positions of a market that were absent from its stored results on the
 * last seven checked days of the two weeks before. `days` are the checked days, oldest first. A day
 * with fewer than `top` results cannot prove an absence and is skipped. Before the first day that
 * can, there are no entrants. Results of another provider than the day's are not compared with it.
 */
export function findEntrants(
  days: readonly DayPositions[],
  input: { from: UtcDay; top: number },
): Entrant[] {
  const provesAbsence = ({ knownPositions }: DayPositions) => knownPositions >= input.top;
  const entrants: Entrant[] = [];
  // The day is compared with those since `first`, of which so many can prove an absence.
  let [first, compared] = [0, 0];
  // An iterator of entries would make an array for each of a million days.
  for (let index = 0; index < days.length; index += 1) {
    const day = days[index]!;
    if (index > 0 && day.provider !== days[index - 1]!.provider) [first, compared] = [index, 0];
    while (first < index) {
      const oldest = days[first]!;
      const isSurplus = compared > comparedDaysMax - (provesAbsence(oldest) ? 0 : 1);
      if (!isSurplus && daysBetween(oldest.date, day.date) <= lookbackDays) break;
      if (provesAbsence(oldest)) compared -= 1;
      first += 1;
    }
    const isRepeated = first < index && beginsLike(day, days[index - 1]!, input.top);
    if (day.date >= input.from && compared > 0 && !isRepeated) {
      for (const [position, listingId] of day.listingIds.slice(0, input.top).entries()) {
        if (!stoodBefore(days, { first, index }, listingId))
          entrants.push({
            date: day.date,
            listingId,
            position: position + 1,
            comparedDays: compared,
          });
      }
    }
    if (provesAbsence(day)) compared += 1;
  }
  return entrants;
}

/** True if the first positions are those of the day before, as on most days. */
function beginsLike(day: DayPositions, before: DayPositions, top: number): boolean {
  if (day.ids === before.ids) return true;
  const bytes = Math.min(day.ids.length, top * 4);
  return bytes <= before.ids.length && day.ids.compare(before.ids, 0, bytes, 0, bytes) === 0;
}

/** Most apps were present the day before, so looking back is cheaper than an index of all days. */
function stoodBefore(
  days: readonly DayPositions[],
  { first, index }: { first: number; index: number },
  listingId: number,
): boolean {
  for (let at = index - 1; at >= first; at -= 1)
    if (days[at]!.listingIds.includes(listingId)) return true;
  return false;
}
