import type { EventObject } from '#contract/events.ts';
import { afterCommit, type Tx } from '#db/database.ts';
import {
  insertEvents,
  listEventApps,
  listKnownKeys,
  lockEventCounter,
  setEventCounter,
} from '#db/queries/events/events.ts';
import { stringifyExact } from '#lib/json.ts';
import { planDeliveries } from './plan-deliveries.ts';
import { makeMessageId, toEventObject, type EventServices, type NewEvent } from './event-object.ts';

export type { NewEvent };

/**
 * Writes events, and their deliveries to subscribed webhooks, in the caller's transaction. A key
 * that the workspace already has is skipped and takes no number. Sequence numbers are assigned
 * under a lock that is held until the commit, so a reader of 7 can read 1 to 6. Returns the new
 * events.
 */
export async function emitEvents(
  tx: Tx,
  services: EventServices,
  events: readonly NewEvent[],
): Promise<EventObject[]> {
  const written: EventObject[] = [];
  const byWorkspace = Map.groupBy(events, (event) => event.workspaceId);
  // Always in the same order, so that two writers of several workspaces do not deadlock.
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
  const emitted = objects.map((object, index) => ({ eventId: ids[index]!, object }));
  await planDeliveries(tx, { workspaceId, now: services.clock.now(), events: emitted });
  return objects;
}
