import type { EventData } from '#contract/events.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import type { NewEvent } from '../events/emit-events.ts';
import type { AlertType } from './rules.ts';

/** A fact that matches a rule, before cooldowns and before the event is emitted. */
export type Alert = { [T in AlertType]: AlertOf<T> }[AlertType];

export interface AlertOf<T extends AlertType> {
  type: T;
  /** The subject of the alert, which gets one alert a day and has a cooldown of its own. */
  subject: string;
  date: UtcDay;
  appId: number;
  data: EventData[T];
  links: Record<string, string>;
  cooldownDays: number;
}

/** The same fact has the same key however often it is derived, so a review is reported once. */
export function keyOf({ type, subject }: Pick<Alert, 'type' | 'subject'>, date: UtcDay): string {
  return type === 'review.negative' ? `${type}:${subject}` : `${type}:${subject}:${date}`;
}

/** Keys of earlier alerts that suppress this one during its cooldown. */
export function cooldownKeys(alert: Alert): string[] {
  return Array.from({ length: alert.cooldownDays }, (_, index) =>
    keyOf(alert, addDays(alert.date, -1 - index)),
  );
}

/** Oldest first, one per key, without those that an earlier alert suppresses. */
export function applyCooldowns(
  alerts: readonly Alert[],
  reported: ReadonlySet<string> = new Set(),
): Alert[] {
  const keys = new Set(reported);
  return alerts
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
    .filter((alert) => {
      const key = keyOf(alert, alert.date);
      if (keys.has(key) || cooldownKeys(alert).some((earlier) => keys.has(earlier))) return false;
      keys.add(key);
      return true;
    });
}

export function toNewEvent(alert: Alert, workspaceId: number, occurredAt: Date): NewEvent {
  const { type, date, appId, data, links } = alert;
  return { workspaceId, type, key: keyOf(alert, date), appId, occurredAt, data, links } as NewEvent;
}
