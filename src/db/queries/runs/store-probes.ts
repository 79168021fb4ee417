import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ProbeRow {
  provider: string;
  state: 'ok' | 'degraded';
  probedAt: Date;
  attempts: number;
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
      p.probed_at as "probedAt", p.attempts
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
 * because stores and providers are probed at the same time.
 */
export async function upsertProbe(tx: Tx, probe: Probe): Promise<void> {
  await sql`select from runs where date = ${probe.date} for update`.execute(tx);
  await sql`
    insert into store_probes as c (store, provider, date, state, probed_at, marker)
      values (${probe.store}, ${probe.provider}, ${probe.date}, ${probe.state}, ${probe.probedAt},
      ${probe.marker})
    on conflict (date, store, provider) do update set state = excluded.state,
      probed_at = excluded.probed_at, marker = excluded.marker,
      attempts = c.attempts + 1`.execute(tx);
  await sql`
    update runs set state = case when exists (select from series_probes
      where date = ${probe.date} and state = 'degraded') then 'degraded' else 'running' end
    where date = ${probe.date} and finished_at is null`.execute(tx);
}

/**
 * Makes the markets due again that only a fallback checked because the probe of their provider
 * failed, and opens the day's run for them. Returns their number.
 */
export async function reopenFallbackDays(
  tx: Tx,
  { store, provider, date }: Pick<Probe, 'store' | 'provider' | 'date'>,
): Promise<number> {
  const { rows } = await sql<Row<'reopen-fallback-days'>>`/* reopen-fallback-days */
    with waiting as (
      select s.market_id from market_gaps g join fallback_checks f using (market_id, on_date)
      join market_schedule s using (market_id)
      where g.on_date = ${date} and g.marker = 'probe' and s.store = ${store}
        and s.completed_on = ${date}
        and position_provider(s.store, ${date}) = ${provider}
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
