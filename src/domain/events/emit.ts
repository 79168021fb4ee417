import type { EventObject } from '../../contract/events.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import {
  insertEvents,
  listEventApps,
  listKnownKeys,
  lockEventCounter,
  setEventCounter,
} from '../../db/queries/events.ts';
import { stringifyExact } from '../../lib/json.ts';
import { planDeliveries } from '../webhooks/plan-deliveries.ts';
import { makeMessageId, toEventObject, type EventServices, type NewEvent } from './event-object.ts';

export type { NewEvent };

/**
 * Writes events, and their deliveries to the webhooks that want them, in the caller's transaction: they are there with the
 * change that caused them or not at all. A key that a workspace has already is left out and takes no number. Numbers are
 * given under a lock that holds until the commit, so whoever reads 7 can have read 1 to 6. Returns what was new.
 */
export async function emitEvents(
  tx: Tx,
  services: EventServices,
  events: readonly NewEvent[],
): Promise<EventObject[]> {
  const written: EventObject[] = [];
  const byWorkspace = Map.groupBy(events, (event) => event.workspaceId);
  // Always in the same order, so that two that write for several workspaces do not wait for each other.
  for (const workspaceId of [...byWorkspace.keys()].toSorted((a, b) => a - b)) {
    written.push(
      ...(await emitInWorkspace(tx, services, workspaceId, byWorkspace.get(workspaceId)!)),
    );
  }
  if (written.length > 0) afterCommit(tx, services.wake);
  return written;
}

async function emitInWorkspace(
  tx: Tx,
  services: EventServices,
  workspaceId: number,
  events: NewEvent[],
): Promise<EventObject[]> {
  const last = await lockEventCounter(tx, workspaceId);
  const known = await listKnownKeys(
    tx,
    workspaceId,
    events.map((event) => event.key),
  );
  const fresh = [
    ...new Map(
      events.filter((event) => !known.has(event.key)).map((event) => [event.key, event]),
    ).values(),
  ];
  if (fresh.length === 0) return [];
  const appIds = [...new Set(fresh.flatMap((event) => event.appId ?? []))];
  const apps = new Map((await listEventApps(tx, workspaceId, appIds)).map((app) => [app.id, app]));
  const { publicUrl } = services.settings;
  const objects = fresh.map((event, index) =>
    toEventObject(event, {
      id: makeMessageId('evt'),
      sequence: last + 1 + index,
      app: apps.get(event.appId ?? 0) ?? null,
      publicUrl,
    }),
  );
  const bodies = objects.map((object) => stringifyExact(object));
  const ids = await insertEvents(
    tx,
    workspaceId,
    fresh.map(({ type, key, occurredAt }, index) => {
      const { sequence, app } = objects[index]!;
      return { type, key, occurredAt, sequence, appId: app?.id ?? null, body: bodies[index]! };
    }),
  );
  await setEventCounter(tx, workspaceId, last + fresh.length);
  const told = objects.map((object, index) => ({ eventId: ids[index]!, object }));
  await planDeliveries(tx, { workspaceId, now: services.clock.now(), told });
  return objects;
}
