import { weekdays } from '../../contract/choices.ts';
import type { WorkspaceSettings } from '../../contract/settings.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '../../lib/dates.ts';

/** The Monday of the day's ISO week. */
export function mondayOf(day: UtcDay): UtcDay {
  return addDays(day, -((new Date(startOfDayMs(day)).getUTCDay() + 6) % 7));
}

/** When a workspace wants its digest: 1 is Monday, 7 Sunday; the hour is UTC. */
export interface DigestTime {
  day: number;
  hour: number;
}

/** As the workspace's settings have it. */
export function digestTimeOf({
  digestDay,
  digestHour,
}: Pick<WorkspaceSettings, 'digestDay' | 'digestHour'>): DigestTime {
  return { day: weekdays.indexOf(digestDay) + 1, hour: digestHour };
}

/**
 * The week whose digest a workspace is due, by its Monday, or null: the last whole week once this week's digest time has
 * come; before that the one before, where it was missed. None of a week in which the workspace was not there.
 */
export function dueWeek(
  now: Date,
  time: DigestTime,
  workspace: { createdAt: Date; toldWeek: UtcDay | null },
): UtcDay | null {
  const { createdAt, toldWeek } = workspace;
  const monday = mondayOf(utcDayOf(now));
  const isPast =
    now.getTime() >= startOfDayMs(addDays(monday, time.day - 1)) + time.hour * 3_600_000;
  if (!isPast && toldWeek === null) return null;
  const week = addDays(monday, isPast ? -7 : -14);
  const isNew = toldWeek === null || toldWeek < week;
  return isNew && createdAt.getTime() < startOfDayMs(addDays(week, 7)) ? week : null;
}
