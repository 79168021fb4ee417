import { sql } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Db, Tx } from '../database.ts';

/** What each store's day had to do without. */
export type ShedWork = Partial<
  Record<StoreName, ('refresh' | 'reviews' | 'chart' | 'page' | 'hints')[]>
>;

export interface RunRow {
  date: string;
  state: 'running' | 'finished' | 'degraded' | 'overdue' | 'missed';
  openedAt: Date;
  finishedAt: Date | null;
  /** What was to be done against what the rest of the day can do. */
  pressure: Partial<Record<StoreName, number>>;
  shed: ShedWork;
}

const columns = sql`date, state, opened_at as "openedAt", finished_at as "finishedAt", pressure, shed`;

export async function findOpenRun(db: Db | Tx): Promise<RunRow | undefined> {
  const { rows } =
    await sql<RunRow>`select ${columns} from runs where finished_at is null order by date desc limit 1`.execute(
      db,
    );
  return rows[0];
}

export async function findRun(db: Db | Tx, date: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${columns} from runs where date = ${date}`.execute(db);
  return rows[0];
}

/** The newest run before a day. */
export async function findRunBefore(db: Db | Tx, date: string): Promise<RunRow | undefined> {
  const { rows } =
    await sql<RunRow>`/* run-before */ select ${columns} from runs where date < ${date} order by date desc limit 1`.execute(
      db,
    );
  return rows[0];
}

/** True when this call opened it: once per UTC date, whatever number of schedulers. */
export async function insertRun(
  tx: Tx,
  run: { date: string; openedAt: Date; pressure: object; shed: object },
): Promise<boolean> {
  const { rows } = await sql`
    insert into runs (date, opened_at, state, pressure, shed)
    values (${run.date}, ${run.openedAt}, 'running', ${JSON.stringify(run.pressure)}, ${JSON.stringify(run.shed)})
    on conflict (date) do nothing returning date`.execute(tx);
  return rows.length > 0;
}

export async function finishRun(
  db: Db | Tx,
  date: string,
  state: RunRow['state'],
  at: Date,
): Promise<void> {
  await sql`update runs set finished_at = ${at}, state = ${state} where date = ${date} and finished_at is null`.execute(
    db,
  );
}

export interface CanaryRow {
  state: 'ok' | 'degraded';
  triedAt: Date;
  attempts: number;
}

export async function findCanary(
  db: Db,
  store: StoreName,
  date: string,
): Promise<CanaryRow | undefined> {
  const { rows } = await sql<CanaryRow>`/* find-canary */
    select state, tried_at as "triedAt", attempts from canaries where store = ${store} and date = ${date}`.execute(
    db,
  );
  return rows[0];
}

/** The day's run is degraded while one of its stores is; the run's row is held, since both stores are asked at once. */
export async function upsertCanary(
  tx: Tx,
  canary: {
    store: StoreName;
    date: string;
    state: 'ok' | 'degraded';
    triedAt: Date;
    marker: string | null;
  },
): Promise<void> {
  await sql`select from runs where date = ${canary.date} for update`.execute(tx);
  await sql`
    insert into canaries as c (store, date, state, tried_at, marker) values (${canary.store}, ${canary.date}, ${canary.state}, ${canary.triedAt}, ${canary.marker})
    on conflict (store, date) do update set state = excluded.state, tried_at = excluded.tried_at, marker = excluded.marker, attempts = c.attempts + 1`.execute(
    tx,
  );
  await sql`
    update runs set state = case when exists (select from canaries where date = ${canary.date} and state = 'degraded') then 'degraded' else 'running' end
    where date = ${canary.date} and finished_at is null`.execute(tx);
}

/** Jobs that end with their store work; house work, which may be put off for hours, ends itself. */
const asksStore = sql`kind in ('first-check', 'run-daily', 'app-refresh', 'review-sync', 'score')`;

/** Asked with every beat: to plan what follows takes longer than all the rest of a beat that has nothing to do. */
async function hasOpenJobs(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`/* has-open-jobs */
    select exists (select from jobs where state in ('queued', 'running') and ${asksStore}) as has`.execute(
    db,
  );
  return rows[0]!.has;
}

const jobsAtOnce = 500;

/** Brings open jobs up to date from the schedules they stand for, lowest id first. Returns the id to go on after; 0 is from the first again. */
export async function settleJobs(db: Db, now: Date, afterId = 0n): Promise<bigint> {
  if (!(await hasOpenJobs(db))) return 0n;
  const { rows } = await sql<{ lastId: bigint }>`/* settle-jobs */
    with open as (
      select id, total, (payload->>'day')::date as day, payload, state from jobs
      where state in ('queued', 'running') and ${asksStore} and id > ${afterId}
      order by id limit ${jobsAtOnce}
    ), counted as (
      select open.id, open.total, open.state,
        (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'marketIds', '[]')) as wanted(id)
          join market_schedule s on s.market_id = wanted.id::int
          where s.depth > 0 and (s.settled_on is null or s.settled_on < open.day or s.urgent_at is not null))
        + (select count(*) from listing_schedule l where l.listing_id = (open.payload->>'listingId')::int and l.active
            and (l.settled_on is null or l.settled_on < open.day))
        + (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'choreIds', '[]')) as wanted(id)
          join chores c on c.id = wanted.id::int where c.active and (c.urgent_at is not null
            -- One that nobody asked for in between is no longer urgent: it is waited for on a day of its own only.
            or ((c.settled_on is null or c.settled_on < open.day) and is_chore_day(c, open.day)))) as remaining,
        -- What the day closed without an answer may have had one after midnight, for who still waited.
        (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'marketIds', '[]')) as wanted(id)
          join market_gaps g on g.market_id = wanted.id::int and g.on_date = open.day
          join market_schedule s on s.market_id = g.market_id where s.checked_on is null or s.checked_on < open.day)
        + (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'choreIds', '[]')) as wanted(id)
          join chore_gaps g on g.chore_id = wanted.id::int and g.on_date = open.day
          join chores c on c.id = g.chore_id where c.read_on is null or c.read_on < open.day) as failed
      from open
    ), settled as (
      update jobs j set
        total = greatest(j.total, c.remaining::int),
        done = greatest(j.total, c.remaining::int) - c.remaining::int,
        state = case when c.remaining > 0 then case when j.total > c.remaining then 'running' else j.state end
          when c.failed > 0 and c.failed >= j.total then 'failed' else 'succeeded' end,
        started_at = case when j.total > c.remaining or c.remaining = 0 then coalesce(j.started_at, ${now}) else j.started_at end,
        finished_at = case when c.remaining = 0 then ${now}::timestamptz end,
        error = case when c.remaining = 0 and c.failed > 0 then c.failed || ' of ' || j.total || ' checks got no usable answer from the store; GET /runs and fill=gaps say why' end
      from counted c where j.id = c.id and j.state in ('queued', 'running')
        and (c.remaining = 0 or j.done <> greatest(j.total, c.remaining::int) - c.remaining::int)
    )
    select case when count(*) = ${jobsAtOnce} then max(id) else 0 end as "lastId" from open`.execute(
    db,
  );
  return rows[0]!.lastId;
}
