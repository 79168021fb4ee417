import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';

/** Weeks that a sync fills in, such as after the instance was off. */
const weeksBack = 4;
const hourMs = 3_600_000;
/** A week is published on the Monday after its Saturday. */
const publishedAfterDays = 8;
const publishedAtHour = 7;

/** The Sunday of the newest week that is published at `now`. */
export function newestWeek(now: Date): UtcDay {
  const shifted = utcDayOf(new Date(now.getTime() - publishedAtHour * hourMs));
  const day = addDays(shifted, -publishedAfterDays);
  return addDays(day, -new Date(startOfDayMs(day)).getUTCDay());
}

/** The newest weeks, the oldest first, so that each is compared with the one before. */
export const listWeeks = (now: Date): UtcDay[] =>
  Array.from({ length: weeksBack }, (_, index) =>
    addDays(newestWeek(now), -7 * (weeksBack - 1 - index)),
  );

export const publicationOf = (week: UtcDay): Date =>
  new Date(startOfDayMs(addDays(week, publishedAfterDays)) + publishedAtHour * hourMs);
