import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Db, Tx } from '../database.ts';
import { isFree } from './schedule.ts';

export type ChoreKind = 'reviews' | 'chart' | 'page' | 'hints';

/** One piece of the day's store work, with what its kind is about; the rest is null. */
export interface ChoreRow {
  id: number;
  store: StoreName;
  kind: ChoreKind;
  country: string;
  listingId: number | null;
  marketId: number | null;
  chart: 'free' | 'paid' | 'grossing' | null;
  /** The store's own id; null: all apps. */
  category: string | null;
  active: boolean;
  readOn: string | null;
  settledOn: string | null;
  urgentAt: Date | null;
  /** Of the day asked for. */
  attempts: number;
}

/** Undefined when there is no such chore. */
export async function findChore(
  db: Db | Tx,
  choreId: number,
  day: string,
): Promise<ChoreRow | undefined> {
  const { rows } = await sql<ChoreRow>`/* find-chore */
    select id, store, kind, country, listing_id as "listingId", market_id as "marketId", chart, category, active,
      read_on as "readOn", settled_on as "settledOn", urgent_at as "urgentAt",
      case when attempts_on = ${day} then attempts else 0 end as attempts
    from chores where id = ${choreId}`.execute(db);
  return rows[0];
}

export interface QueuedChore {
  id: number;
  kind: ChoreKind;
  attempts: number;
}

interface Take {
  store: StoreName;
  day: string;
  now: Date;
  until: Date;
  limit: number;
}

/** Takes chores somebody is waiting for, longest first. */
export function takeUrgentChores(
  db: Db,
  input: Take & { kinds: readonly ChoreKind[] },
): Promise<QueuedChore[]> {
  return take(
    db,
    input,
    sql`/* take-urgent-chores */`,
    sql`kind = any(${[...input.kinds]}::text[]) and urgent_at is not null`,
    sql`urgent_at, id`,
  );
}

/** Takes the day's chores of some kinds, stalest first. */
export function takeDueChores(
  db: Db,
  input: Take & { kinds: readonly ChoreKind[] },
): Promise<QueuedChore[]> {
  return take(
    db,
    input,
    sql`/* take-due-chores */`,
    isDue(input.kinds, input.day),
    sql`read_on nulls first, id`,
  );
}

async function take(
  db: Db,
  input: Take,
  name: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<QueuedChore[]> {
  const { rows } = await sql<QueuedChore>`${name}
    update chores c set queued_until = ${input.until}
    from (
      select id from chores
      where store = ${input.store} and active and ${which}
        and ${isFree(input)}
      order by ${order} limit ${input.limit} for update skip locked
    ) next
    where c.id = next.id
    returning c.id, c.kind, case when c.attempts_on = ${input.day} then c.attempts else 0 end as attempts`.execute(
    db,
  );
  return rows;
}

/** A chore of the day without an outcome yet. To be asked of the table by its own name. */
export function isDue(kinds: readonly ChoreKind[], day: string): RawBuilder<unknown> {
  return sql`kind = any(${[...kinds]}::text[]) and (settled_on is null or settled_on < ${day})
    and is_chore_day(chores, ${day}::date)`;
}

/**
 * The day has its answer; a gap it had is gone. What a reading takes is learned from the ones after the first: the first of
 * a feed goes far back, and none after it does.
 */
export async function settleChore(
  db: Db | Tx,
  done: { choreId: number; day: string; requests: number },
): Promise<void> {
  await sql`/* settle-chore */
    with healed as (delete from chore_gaps where chore_id = ${done.choreId} and on_date = ${done.day})
    update chores set read_on = greatest(read_on, ${done.day}), settled_on = greatest(settled_on, ${done.day}),
      urgent_at = null, queued_until = null, attempts = 0, retry_at = null, last_marker = null,
      usual_requests = case when read_on is null and kind = 'reviews' then usual_requests
        else coalesce(usual_requests * 0.7 + ${done.requests}::real * 0.3, ${done.requests}::real) end
    where id = ${done.choreId}`.execute(db);
}

/** The day has no answer and nothing more is tried for it. An answer that it has already stands. */
export async function settleChoreWithGap(
  db: Db,
  gap: { choreId: number; day: string; marker: string },
): Promise<void> {
  await sql`
    with settled as (
      update chores set settled_on = greatest(settled_on, ${gap.day}), urgent_at = null, queued_until = null, attempts = 0, retry_at = null, last_marker = ${gap.marker}
      where id = ${gap.choreId} returning id, read_on
    )
    insert into chore_gaps (chore_id, on_date, reason, marker)
    select id, ${gap.day}, 'store_error', ${gap.marker} from settled where read_on is null or read_on < ${gap.day}
    on conflict (chore_id, on_date) do update set reason = excluded.reason, marker = excluded.marker`.execute(
    db,
  );
}

/** Back to the schedule, for another try. */
export async function deferChore(
  db: Db,
  again: { choreId: number; day: string; attempts: number; retryAt: Date; marker: string },
): Promise<void> {
  await sql`
    update chores set queued_until = null, retry_at = ${again.retryAt}, attempts = ${again.attempts}, attempts_on = ${again.day}, last_marker = ${again.marker}
    where id = ${again.choreId}`.execute(db);
}

/**
 * Puts chores ahead of the run; says how many there are. What the day has an answer of is left alone, unless it is to be done
 * again (`evenSettled`); what the day gave up is tried after all.
 */
export async function markChoresUrgent(
  tx: Tx,
  choreIds: number[],
  { day, now, evenSettled = false }: { day: string; now: Date; evenSettled?: boolean },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from chores
      where id = any(${choreIds}) and active and (${evenSettled}::boolean or read_on is null or read_on < ${day})
      order by id for update
    )
    update chores c set urgent_at = coalesce(c.urgent_at, ${now}), retry_at = null from due where c.id = due.id
    returning c.id`.execute(tx);
  return rows.length;
}

/**
 * Chores that are done for an app of the workspace, in its own countries: what others have its listing read for elsewhere is
 * not among them.
 */
export async function listChoresOfApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
  kinds: readonly ChoreKind[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with app as (
      select id, listing_id, primary_country from apps where workspace_id = ${workspaceId} and id = ${appId}
    ), places as (
      select primary_country as country from app
      union
      select k.country from app join keywords k on k.app_id = app.id and k.archived_at is null and not k.paused and not k.held
    )
    select c.id from app join chore_demand d on d.listing_id = app.listing_id join chores c on c.id = d.chore_id
    where c.active and c.kind = any(${[...kinds]}::text[]) and c.country in (select country from places) order by c.id`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/** The hint searches of markets; a market that nobody follows has none. */
export async function listHintChores(tx: Tx, marketIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from chores where kind = 'hints' and active and market_id = any(${marketIds}) order by id`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}
