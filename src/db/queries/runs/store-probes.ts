import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ProbeRow {
  provider: string;
  state: 'ok' | 'degraded';
  probedAt: Date;
  attempts: number;
  /** Failed searches in a row: of checks while the probe passes, of probes while it fails. */
  failures: number;
}

export interface DayProbes {
  /** The provider whose order the day's positions have. */
  seriesProvider: string;
  probes: ProbeRow[];
}

/** A store's probes of a day. */
export async function findDayProbes(
  db: Db | Tx,
  store: StoreName,
  date: string,
): Promise<DayProbes> {
  const { rows } = await sql<
    Row<
      'day-probes',
      { seriesProvider: string } & { [Key in keyof ProbeRow]: ProbeRow[Key] | null },
      'seriesProvider' | 'state'
    >
  >`/* day-probes */
    select position_provider(s.store, ${date}) as "seriesProvider", p.provider, p.state,
      p.probed_at as "probedAt", p.attempts, p.failures
    from (select ${store}::text as store) s
    left join store_probes p on p.store = s.store and p.date = ${date}`.execute(db);
  return {
    seriesProvider: rows[0]!.seriesProvider,
    probes: rows.filter((row): row is typeof row & ProbeRow => row.provider !== null),
  };
}

export interface Probe {
  store: StoreName;
  provider: string;
  date: string;
  state: 'ok' | 'degraded';
  probedAt: Date;
  marker: string | null;
}

/**
 * The day's run is degraded while the provider of a store's positions is. The run's row is locked,
 * because stores and providers are probed at the same time. Returns true if the probe before it
 * failed.
 */
export async function upsertProbe(tx: Tx, probe: Probe): Promise<boolean> {
  await sql`select from runs where date = ${probe.date} for update`.execute(tx);
  const failures = probe.state === 'ok' ? 0 : 1;
  const { rows } = await sql<Row<'upsert-probe'>>`/* upsert-probe */
    insert into store_probes as c (store, provider, date, state, probed_at, marker, failures)
      values (${probe.store}, ${probe.provider}, ${probe.date}, ${probe.state}, ${probe.probedAt},
      ${probe.marker}, ${failures})
    on conflict (date, store, provider) do update set state = excluded.state,
      probed_at = excluded.probed_at, marker = excluded.marker, attempts = c.attempts + 1,
      failures = case when c.state = 'ok' or excluded.state = 'ok' then excluded.failures
        else c.failures + 1 end
    returning coalesce(old.state = 'degraded', false) as "hasFailed"`.execute(tx);
  await sql`
    update runs set state = case when exists (select from series_probes
      where date = ${probe.date} and state = 'degraded') then 'degraded' else 'running' end
    where date = ${probe.date} and finished_at is null`.execute(tx);
  return rows[0]!.hasFailed;
}

interface Provider {
  store: StoreName;
  provider: string;
  date: string;
}

/**
 * Counts a failed search while the last probe passed. No more than `max` count, so that an outage
 * of all checks writes the row a few times.
 */
export async function addFailure(
  db: Db,
  { store, provider, date, max }: Provider & { max: number },
): Promise<void> {
  await sql`/* add-failure */
    update store_probes set failures = failures + 1
    where date = ${date} and store = ${store} and provider = ${provider}
      and state = 'ok' and failures < ${max}`.execute(db);
}

/** After a search that did not fail. */
export async function clearFailures(db: Db, { store, provider, date }: Provider): Promise<void> {
  await sql`/* clear-failures */
    update store_probes set failures = 0
    where date = ${date} and store = ${store} and provider = ${provider}
      and state = 'ok' and failures > 0`.execute(db);
}

/**
 * Makes the markets due again that were not searched because the probe of their provider failed,
 * and opens the day's run for them. Returns their number.
 */
export async function reopenProbeGaps(
  tx: Tx,
  { store, provider, date }: Provider,
): Promise<number> {
  const { rows } = await sql<Row<'reopen-probe-gaps'>>`/* reopen-probe-gaps */
    with waiting as (
      select s.market_id from market_schedule s
      where s.store = ${store} and s.completed_on = ${date}
        and (s.checked_on is null or s.checked_on < ${date}) and exists (
          select from market_gaps g
          where g.market_id = s.market_id and g.on_date = ${date} and g.marker = 'probe')
        and position_provider(${store}, ${date}) = ${provider}
      order by s.market_id for update of s
    ), reopened as (
      update market_schedule s set completed_on = ${date}::date - 1, attempts = 0, retry_at = null
      from waiting w where s.market_id = w.market_id returning s.market_id
    )
    select count(*)::int as count from reopened`.execute(tx);
  const { count } = rows[0]!;
  if (count > 0)
    await sql`
      update runs set finished_at = null, state = 'running' where date = ${date}`.execute(tx);
  return count;
}
