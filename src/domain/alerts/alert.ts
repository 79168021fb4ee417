import type { EventData } from '../../contract/events.ts';
import { addDays, type UtcDay } from '../../lib/dates.ts';
import type { NewEvent } from '../events/emit.ts';
import type { AlertType } from './rules.ts';

/** A fact that rules want told, before anybody is told of it. */
export type Alert = { [T in AlertType]: AlertOf<T> }[AlertType];

export interface AlertOf<T extends AlertType> {
  type: T;
  /** Which thing it is about: one alert a day, and what the rule's cooldown counts for. */
  subject: string;
  date: UtcDay;
  appId: number;
  data: EventData[T];
  links: Record<string, string>;
  cooldownDays: number;
}

/** The same fact has the same key, however often it is derived. A review is told once, whatever becomes of it. */
export function keyOf({ type, subject }: Pick<Alert, 'type' | 'subject'>, date: UtcDay): string {
  return type === 'review.negative' ? `${type}:${subject}` : `${type}:${subject}:${date}`;
}

/** The keys that would silence an alert while its cooldown lasts. */
export function cooldownKeys(alert: Alert): string[] {
  return Array.from({ length: alert.cooldownDays }, (_, index) =>
    keyOf(alert, addDays(alert.date, -1 - index)),
  );
}

/** Oldest first, one of each key, without those that one of `told`, or one before them in the list, silences. */
export function dropSilenced(
  alerts: readonly Alert[],
  told: ReadonlySet<string> = new Set(),
): Alert[] {
  const keys = new Set(told);
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
