import { weekdays } from '#contract/choices.ts';
import type { WorkspaceSettings } from '#contract/settings.ts';
import { addDays, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';

/** The Monday of the day's ISO week. */
export function mondayOf(day: UtcDay): UtcDay {
  return addDays(day, -((new Date(startOfDayMs(day)).getUTCDay() + 6) % 7));
}

/** The time of a workspace's digest: 1 is Monday, 7 Sunday; the hour is UTC. */
export interface DigestTime {
  day: number;
  hour: number;
}

/** The digest time of the workspace's settings. */
export function digestTimeOf({
  digestDay,
  digestHour,
}: Pick<WorkspaceSettings, 'digestDay' | 'digestHour'>): DigestTime {
  return { day: weekdays.indexOf(digestDay) + 1, hour: digestHour };
}

/** The instant of the digest time in the week of a day. */
const digestInstant = (day: UtcDay, time: DigestTime): number =>
  startOfDayMs(addDays(mondayOf(day), time.day - 1)) + time.hour * 3_600_000;

/** The first digest time after `now`. Until then no digest becomes due by itself. */
export function nextDigestAt(now: Date, time: DigestTime): Date {
  const today = utcDayOf(now);
  const thisWeek = digestInstant(today, time);
  return new Date(thisWeek > now.getTime() ? thisWeek : digestInstant(addDays(today, 7), time));
}

/**
 * The Monday of the week whose digest is due, or null: the last complete week once this week's
 * digest time has come, and before that the previous one if it was missed. Never a week from before
 * the workspace existed, and none whose digest time was before `digestsFrom`. A digest of this week
 * or of a later one was sent by a clock that was ahead, and does not count.
 */
export function dueWeek(
  now: Date,
  time: DigestTime,
  workspace: { createdAt: Date; lastDigestWeek: UtcDay | null; digestsFrom: Date | null },
): UtcDay | null {
  const { createdAt, digestsFrom } = workspace;
  const monday = mondayOf(utcDayOf(now));
  const isFromLater = workspace.lastDigestWeek !== null && workspace.lastDigestWeek >= monday;
  const lastDigestWeek = isFromLater ? null : workspace.lastDigestWeek;
  const isPast = now.getTime() >= digestInstant(monday, time);
  if (!isPast && lastDigestWeek === null) return null;
  const sentIn = isPast ? monday : addDays(monday, -7);
  if (digestsFrom !== null && digestInstant(sentIn, time) < digestsFrom.getTime()) return null;
  const week = addDays(sentIn, -7);
  const isNew = lastDigestWeek === null || lastDigestWeek < week;
  return isNew && createdAt.getTime() < startOfDayMs(addDays(week, 7)) ? week : null;
}
