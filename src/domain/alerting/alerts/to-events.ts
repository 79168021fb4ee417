import type { Tx } from '#db/database.ts';
import { listKnownKeys } from '#db/queries/events/events.ts';
import type { Services } from '#domain/base/context.ts';
import type { NewEvent } from '../events/event-object.ts';
import { cooldownKeys, applyCooldowns, keyOf, toNewEvent, type Alert } from './alert.ts';

/**
 * The events of a workspace's alerts: one per key, without those that an earlier one suppresses.
 */
export async function toEvents(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  workspaceId: number,
  alerts: readonly Alert[],
): Promise<NewEvent[]> {
  if (alerts.length === 0) return [];
  const keys = alerts.flatMap((alert) => [keyOf(alert, alert.date), ...cooldownKeys(alert)]);
  const reported = await listKnownKeys(tx, workspaceId, [...new Set(keys)]);
  const now = services.clock.now();
  return applyCooldowns(alerts, reported).map((alert) => toNewEvent(alert, workspaceId, now));
}
