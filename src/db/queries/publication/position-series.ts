import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The provider of a store's positions in an import, by day; days with several are omitted. */
export async function listImportedProviders(
  tx: Tx,
  workspaceId: number,
): Promise<{ store: StoreName; date: string; provider: string }[]> {
  const { rows } = await sql<
    Row<
      'imported-providers',
      { store: StoreName; date: string; provider: string },
      'store' | 'provider'
    >
  >`/* imported-providers */
    select l.store, r.on_date as date, min(r.provider) as provider
    from imported_daily_ranks r join listings l on l.id = r.listing_id
    where r.workspace_id = ${workspaceId} and r.to_publish and r.provider is not null
    group by l.store, r.on_date having count(distinct r.provider) = 1
    order by l.store, r.on_date`.execute(tx);
  return rows;
}

/** The first day on which a market of a store was checked; null for none. */
export async function findFirstCheckedDay(tx: Tx, store: StoreName): Promise<string | null> {
  const { rows } = await sql<Row<'first-checked-day'>>`/* first-checked-day */
    with first as (
      select d.month from market_months d join markets m on m.id = d.market_id
      where m.store = ${store} order by d.month limit 1
    )
    select min(d.month + n.day) as date
    from first join market_months d on d.month = first.month
      join markets m on m.id = d.market_id and m.store = ${store}
      cross join generate_series(0, 30) as n(day)
    where get_byte(d.days, n.day * 4) <> 0`.execute(tx);
  return rows[0]?.date ?? null;
}

/**
 * Replaces the providers of a store's positions before a day on which none was checked; from that
 * day on they stay. The first one also holds for all earlier days.
 */
export async function replaceEarlierSeries(
  tx: Tx,
  store: StoreName,
  { before, series }: { before: string; series: { fromDay: string; provider: string }[] },
): Promise<void> {
  const [first, ...later] = series;
  if (first === undefined) return;
  await sql`/* keep-later-series */
    insert into position_series (store, from_day, provider)
    select ${store}, ${before}::date, position_provider(${store}, ${before}::date)
    on conflict (store, from_day) do nothing`.execute(tx);
  await sql`/* delete-earlier-series */
    delete from position_series where store = ${store} and from_day < ${before}::date
      and from_day > (select min(from_day) from position_series where store = ${store})`.execute(
    tx,
  );
  await sql`/* set-first-series */
    update position_series set provider = ${first.provider} where store = ${store}
      and from_day = (select min(from_day) from position_series where store = ${store})
      and from_day < ${before}::date`.execute(tx);
  await sql`/* insert-earlier-series */
    insert into position_series (store, from_day, provider)
    select ${store}, n.from_day, n.provider
    from unnest(${later.map(({ fromDay }) => fromDay)}::date[],
      ${later.map(({ provider }) => provider)}::text[]) as n(from_day, provider)`.execute(tx);
  await sql`/* join-equal-series */
    delete from position_series s where s.store = ${store} and s.from_day = ${before}::date
      and s.provider = (select e.provider from position_series e where e.store = ${store}
        and e.from_day < s.from_day order by e.from_day desc limit 1)`.execute(tx);
}
