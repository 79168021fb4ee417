import type { Tx } from '../../db/database.ts';
import { listKnownKeys } from '../../db/queries/events.ts';
import type { Services } from '../context.ts';
import type { NewEvent } from '../events/event-object.ts';
import { cooldownKeys, dropSilenced, keyOf, toNewEvent, type Alert } from './alert.ts';

/** The events that a workspace's alerts become: one of each key, without those that an earlier one silences. */
export async function toEvents(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  workspaceId: number,
  alerts: readonly Alert[],
): Promise<NewEvent[]> {
  if (alerts.length === 0) return [];
  const keys = alerts.flatMap((alert) => [keyOf(alert, alert.date), ...cooldownKeys(alert)]);
  const told = await listKnownKeys(tx, workspaceId, [...new Set(keys)]);
  const now = services.clock.now();
  return dropSilenced(alerts, told).map((alert) => toNewEvent(alert, workspaceId, now));
}
