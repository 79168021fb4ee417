import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { LostFields } from '../listings/listing-schedule.ts';
import { isFree } from '../runs/leases.ts';

export type StoreTaskKind = 'reviews' | 'chart' | 'page' | 'hints';

/** A store task with the subject of its kind; the other subjects are null. */
export interface StoreTaskRow extends LostFields {
  id: number;
  store: StoreName;
  kind: StoreTaskKind;
  country: string;
  listingId: number | null;
  marketId: number | null;
  chart: 'free' | 'paid' | 'grossing' | null;
  /** The store's own id; null: all apps. */
  category: string | null;
  active: boolean;
  readOn: string | null;
  completedOn: string | null;
  urgentAt: Date | null;
  /** For the requested day. */
  attempts: number;
}

/** Undefined when there is no such store task. */
export async function findStoreTask(
  db: Db | Tx,
  storeTaskId: number,
  day: string,
): Promise<StoreTaskRow | undefined> {
  const { rows } = await sql<
    Row<'find-store-task', StoreTaskRow, 'store' | 'kind' | 'chart'>
  >`/* find-store-task */
    select id, store, kind, country, listing_id as "listingId", market_id as "marketId", chart,
      category, active,
      read_on as "readOn", completed_on as "completedOn", urgent_at as "urgentAt",
      case when attempts_on = ${day} then attempts else 0 end as attempts,
      lost_on as "lostOn", lost_fields as "lostFields"
    from store_tasks where id = ${storeTaskId}`.execute(db);
  return rows[0];
}

export interface QueuedStoreTask {
  id: number;
  kind: StoreTaskKind;
  attempts: number;
}

interface Take {
  store: StoreName;
  day: string;
  now: Date;
  until: Date;
  limit: number;
}

/** Leases urgent store tasks, longest waiting first. */
export function takeUrgentStoreTasks(
  db: Db,
  input: Take & { kinds: readonly StoreTaskKind[] },
): Promise<QueuedStoreTask[]> {
  return take(
    db,
    input,
    sql`/* take-urgent-store-tasks */`,
    sql`kind = any(${[...input.kinds]}::text[]) and urgent_at is not null`,
    sql`urgent_round, urgent_at, id`,
  );
}

/** Leases the day's store tasks, kind by kind, the longest due and stalest first. */
export async function takeDueStoreTasks(
  db: Db,
  input: Take & { kinds: readonly StoreTaskKind[] },
): Promise<QueuedStoreTask[]> {
  const taken: QueuedStoreTask[] = [];
  for (const kind of input.kinds) {
    const limit = input.limit - taken.length;
    if (limit <= 0) break;
    const [name, order] = [sql`/* take-due-store-tasks */`, sql`due_from, read_on nulls first, id`];
    const isOfDay = sql`kind = ${kind} and ${isDueOn(input.day)}`;
    taken.push(...(await take(db, { ...input, limit }, name, isOfDay, order)));
  }
  return taken;
}

async function take(
  db: Db,
  input: Take,
  name: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<QueuedStoreTask[]> {
  const { rows } = await sql<Row<'take', QueuedStoreTask, 'kind'>>`${name}
    update store_tasks c set queued_until = ${input.until}
    from (
      select id from store_tasks
      where store = ${input.store} and active and ${which}
        and ${isFree(input)}
      order by ${order} limit ${input.limit} for update skip locked
    ) next
    where c.id = next.id
    returning c.id, c.kind, case when c.attempts_on = ${input.day} then c.attempts else 0 end
      as attempts`.execute(db);
  return rows;
}

/** The days of `is_store_task_day` that are not completed. */
export const isDueOn = (day: string): RawBuilder<unknown> => sql`
  due_from <= ${day}::date and (${day}::date - due_from) % due_every = 0`;

/**
 * Records the day's response and deletes its gap. The cost is learned from the second reading on,
 * because the first reading of a feed goes far back and later ones do not.
 */
export async function completeStoreTask(
  db: Db | Tx,
  done: { storeTaskId: number; day: string; requests: number } & Partial<LostFields>,
): Promise<void> {
  await sql`/* complete-store-task */
    with healed as (delete from store_task_gaps
      where store_task_id = ${done.storeTaskId} and on_date = ${done.day})
    update store_tasks set read_on = greatest(read_on, ${done.day}),
      completed_on = greatest(completed_on, ${done.day}),
      urgent_at = null, queued_until = null, attempts = 0, retry_at = null, last_marker = null,
      lost_on = ${done.lostOn ?? null}::date, lost_fields = ${done.lostFields ?? []}::text[],
      usual_requests = case when read_on is null and kind = 'reviews' then usual_requests
        else coalesce(usual_requests * 0.7 + ${done.requests}::real * 0.3, ${done.requests}::real)
          end
    where id = ${done.storeTaskId}`.execute(db);
}

/** Completes the day with a gap, without further attempts. An earlier response of the day stays. */
export async function completeStoreTaskWithGap(
  db: Db,
  gap: { storeTaskId: number; day: string; marker: string },
): Promise<void> {
  await sql`
    with completed as (
      update store_tasks set completed_on = greatest(completed_on, ${gap.day}), urgent_at = null,
        queued_until = null, attempts = 0, retry_at = null, last_marker = ${gap.marker}
      where id = ${gap.storeTaskId} returning id, read_on
    )
    insert into store_task_gaps (store_task_id, on_date, reason, marker)
    select id, ${gap.day}, 'store_error', ${gap.marker} from completed
      where read_on is null or read_on < ${gap.day}
    on conflict (store_task_id, on_date) do update
      set reason = excluded.reason, marker = excluded.marker`.execute(db);
}

/** Returns the task to the schedule for another attempt. */
export async function rescheduleStoreTask(
  db: Db,
  again: { storeTaskId: number; day: string; attempts: number; retryAt: Date; marker: string },
): Promise<void> {
  await sql`
    update store_tasks set queued_until = null, retry_at = ${again.retryAt},
      attempts = ${again.attempts}, attempts_on = ${again.day}, last_marker = ${again.marker}
    where id = ${again.storeTaskId}`.execute(db);
}

/**
 * Store tasks of an app of the workspace in its own countries. Tasks that other workspaces request
 * for its listing elsewhere are omitted.
 */
export async function listStoreTasksOfApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
  kinds: readonly StoreTaskKind[],
): Promise<number[]> {
  const { rows } = await sql<Row<'list-store-tasks-of-app'>>`
    with app as (
      select id, listing_id, primary_country from apps
        where workspace_id = ${workspaceId} and id = ${appId}
    ), places as (
      select primary_country as country from app
      union
      select k.country from app join keywords k on k.app_id = app.id and k.archived_at is null
        and not k.paused and not k.held
    )
    select c.id from app join store_task_demand d on d.listing_id = app.listing_id
      join store_tasks c on c.id = d.store_task_id
    where c.active and c.kind = any(${[...kinds]}::text[]) and c.country in (select country
      from places) order by c.id`.execute(tx);
  return rows.map((row) => row.id);
}

/** The hint tasks of markets. Markets that nobody tracks have none. */
export async function listHintTasks(tx: Tx, marketIds: number[]): Promise<number[]> {
  const { rows } = await sql<Row<'list-hint-tasks'>>`
    select id from store_tasks where kind = 'hints' and active and market_id = any(${marketIds})
      order by id`.execute(tx);
  return rows.map((row) => row.id);
}
