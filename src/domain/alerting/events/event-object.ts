import { randomBytes } from 'node:crypto';
import type { EventData, EventObject, EventType } from '#contract/events.ts';
import type { EventAppRow } from '#db/queries/events/events.ts';
import type { Services } from '#domain/base/context.ts';

/** A fact that becomes an event. */
export type NewEvent = { [T in EventType]: NewEventOf<T> }[EventType];

interface NewEventOf<T extends EventType> {
  workspaceId: number;
  type: T;
  /** Identifies the fact: the same key in a workspace is the same event, which is emitted once. */
  key: string;
  appId: number | null;
  occurredAt: Date;
  data: EventData[T];
  /** Paths of the API by name, such as `{ rankings: '/keywords/12/rankings' }`. */
  links?: Record<string, string>;
}

/** 26 opaque characters that are valid in a webhook-id. */
export function makeMessageId(prefix: 'evt' | 'test'): string {
  return `${prefix}_${randomBytes(16).toString('base64url')}`;
}

/** The object that GET /events lists and webhooks deliver, with its members in order. */
export function toEventObject(
  event: Pick<EventObject, 'type' | 'data' | 'workspaceId'> & {
    occurredAt: Date;
    links?: Record<string, string> | undefined;
  },
  facts: { id: string; sequence: number; app: EventAppRow | null; publicUrl: string | null },
): EventObject {
  const { type, occurredAt, data, workspaceId, links = {} } = event;
  const own = facts.app ? { app: `/apps/${facts.app.id}`, ...links } : links;
  return {
    type,
    timestamp: occurredAt.toISOString(),
    data: cleanText(data),
    id: facts.id,
    sequence: facts.sequence,
    workspaceId,
    app: facts.app,
    links: Object.fromEntries(
      Object.entries(own).map(([name, path]) => [
        name,
        facts.publicUrl ? `${facts.publicUrl}/api/backend${path}` : path,
      ]),
    ),
  };
}

/** Store text may contain NUL and lone surrogates, which PostgreSQL's JSON rejects. */
function cleanText(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(cleanText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [cleanText(name), cleanText(member)]),
  );
}

export type EventServices = Pick<Services, 'clock' | 'wake'> & {
  settings: Pick<Services['settings'], 'publicUrl'>;
};
