import type { UtcDay } from '#lib/dates.ts';

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

/**
 * Apps in the first `top` positions of a market that were absent from its stored results on the
 * last seven checked days. `days` are the checked days, oldest first. A day with fewer than `top`
 * results cannot prove an absence and is skipped. Before the first day that can, there are no
 * entrants. Results of another provider than the day's are not compared with it.
 */
export function findEntrants(
  days: readonly DayPositions[],
  input: { from: UtcDay; top: number },
): Entrant[] {
  const entrants: Entrant[] = [];
  // The number of earlier days that can prove an absence. A skipped day counts with the last of
  // them.
  const numbers: number[] = [];
  let compared = 0;
  // An iterator of entries would make an array for each of a million days.
  for (let index = 0; index < days.length; index += 1) {
    const day = days[index]!;
    const { date, provider, knownPositions } = day;
    if (index > 0 && provider !== days[index - 1]!.provider) {
      compared = 0;
      numbers.fill(-Infinity);
    }
    const since = compared - comparedDaysMax;
    const isRepeated =
      index > 0 && numbers[index - 1]! >= since && beginsLike(day, days[index - 1]!, input.top);
    if (date >= input.from && compared > 0 && !isRepeated) {
      for (const [position, listingId] of day.listingIds.slice(0, input.top).entries()) {
        if (!stoodBefore(days, index, listingId, { numbers, since }))
          entrants.push({
            date,
            listingId,
            position: position + 1,
            comparedDays: Math.min(compared, comparedDaysMax),
          });
      }
    }
    const isCompared = knownPositions >= input.top;
    numbers.push(isCompared ? compared : compared - 1);
    if (isCompared) compared += 1;
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
  index: number,
  listingId: number,
  { numbers, since }: { numbers: readonly number[]; since: number },
): boolean {
  for (let at = index - 1; at >= 0 && numbers[at]! >= since; at -= 1)
    if (days[at]!.listingIds.includes(listingId)) return true;
  return false;
}
