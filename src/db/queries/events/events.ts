import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { nameIn } from '../listings/listing-names.ts';

/** The last sequence number of the workspace. Its row stays locked until the transaction ends. */
export async function lockEventCounter(tx: Tx, workspaceId: number): Promise<number> {
  await sql`
    insert into event_counters (workspace_id, sequence) values (${workspaceId}, 0)
      on conflict do nothing`.execute(tx);
  const { rows } = await sql<Row<'last-event-sequence'>>`
    select sequence from event_counters where workspace_id = ${workspaceId} for update`.execute(tx);
  return Number(rows[0]!.sequence);
}

export async function setEventCounter(
  tx: Tx,
  workspaceId: number,
  sequence: number,
): Promise<void> {
  await sql`
    update event_counters set sequence = ${sequence} where workspace_id = ${workspaceId}`.execute(
    tx,
  );
}

/** The given keys that already have an event. */
export async function listKnownKeys(
  tx: Tx,
  workspaceId: number,
  keys: string[],
): Promise<Set<string>> {
  const { rows } = await sql<Row<'list-known-keys'>>`
    select key from events
    where workspace_id = ${workspaceId} and key = any(${keys}::text[])`.execute(tx);
  return new Set(rows.map((row) => row.key));
}

export interface EventAppRow {
  id: number;
  store: StoreName;
  storeAppId: string;
  name: string;
}

/** The workspace's apps as events name them, including archived ones. */
export async function listEventApps(
  tx: Tx,
  workspaceId: number,
  appIds: number[],
): Promise<EventAppRow[]> {
  const { rows } = await sql<Row<'list-event-apps', EventAppRow, 'store'>>`
    select a.id, l.store, l.store_app_id as "storeAppId",
      coalesce(a.display_name, ${nameIn(sql`a.primary_country`)}, l.store_app_id) as name
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = ${workspaceId} and a.id = any(${appIds}::int[])`.execute(tx);
  return rows;
}

export interface NewEventRow {
  sequence: number;
  type: string;
  key: string;
  appId: number | null;
  occurredAt: Date;
  /** The whole object as JSON. */
  body: string;
}

/** Returns ids in the order of the rows. */
export async function insertEvents(
  tx: Tx,
  workspaceId: number,
  events: NewEventRow[],
): Promise<bigint[]> {
  const { rows } = await sql<Row<'insert-events'>>`
    insert into events (workspace_id, sequence, type, key, app_id, occurred_at, body)
    select ${workspaceId}, e.sequence, e.type, e.key, e.app_id, e.occurred_at, e.body
    from unnest(
      ${events.map((event) => event.sequence)}::bigint[],
        ${events.map((event) => event.type)}::text[], ${events.map((event) => event.key)}::text[],
      ${events.map((event) => event.appId)}::int[],
        ${events.map((event) => event.occurredAt)}::timestamptz[],
        ${events.map((event) => event.body)}::text[]
    ) as e(sequence, type, key, app_id, occurred_at, body)
    order by e.sequence
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}

export interface EventFilter {
  types?: string[] | undefined;
  appId?: number | undefined;
  /** Sequence numbers greater than this. */
  afterSequence: number | null;
  /** At or after this instant. */
  from: Date | null;
}

const matches = (workspaceId: number, filter: EventFilter) => sql`
  workspace_id = ${workspaceId}
  and (${filter.types ?? null}::text[] is null or type = any(${filter.types ?? null}::text[]))
  and (${filter.appId ?? null}::int is null or app_id = ${filter.appId ?? null})
  and (${filter.afterSequence}::bigint is null or sequence > ${filter.afterSequence})
  and (${filter.from}::timestamptz is null or occurred_at >= ${filter.from})`;

/** `past` is the last sequence number of the previous page. */
export async function listEventBodies(
  tx: Tx,
  workspaceId: number,
  filter: EventFilter & { past: number | null; order: 'asc' | 'desc'; limit: number },
): Promise<{ sequence: number; body: string }[]> {
  const beyond =
    filter.order === 'asc' ? sql`sequence > ${filter.past}` : sql`sequence < ${filter.past}`;
  const { rows } = await sql<Row<'list-event-bodies'>>`
    select sequence, body from events
    where ${matches(workspaceId, filter)} and (${filter.past}::bigint is null or ${beyond})
    order by sequence ${filter.order === 'asc' ? sql`asc` : sql`desc`}
    limit ${filter.limit}`.execute(tx);
  return rows.map(({ sequence, body }) => ({ sequence: Number(sequence), body }));
}

export async function countEvents(
  tx: Tx,
  workspaceId: number,
  filter: EventFilter,
): Promise<number> {
  const { rows } = await sql<
    Row<'count-events'>
  >`select count(*)::int as events from events where ${matches(workspaceId, filter)}`.execute(tx);
  return rows[0]!.events;
}
