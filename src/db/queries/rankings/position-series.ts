import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreName } from '#stores/profiles.ts';

export interface SeriesRow {
  /** The listing or app whose positions these are. */
  of: number;
  fromDay: string;
  provider: string;
}

/**
 * Makes a provider that of a store's positions; it names results with `resultLookups` lookups.
 * Returns the day on which it follows another one: tomorrow; null where it is the same one, or
 * where no market was checked before.
 */
export async function insertSeries(
  tx: Tx,
  series: { store: StoreName; provider: string; tomorrow: string; resultLookups: 0 | 1 },
): Promise<string | null> {
  const { store, provider, tomorrow, resultLookups } = series;
  await sql`
    update stores set result_lookups = ${resultLookups} where store = ${store}`.execute(tx);
  await sql`
    delete from position_series where store = ${store} and from_day >= ${tomorrow}`.execute(tx);
  const { rows } = await sql<
    Row<'newest-series', { fromDay: string; provider: string; isChecked: boolean }>
  >`/* newest-series */
    select from_day as "fromDay", provider, exists (select from market_schedule
      where store = ${store} and checked_on is not null) as "isChecked"
    from position_series where store = ${store} order by from_day desc limit 1`.execute(tx);
  const [newest] = rows;
  if (newest === undefined || newest.provider === provider) return null;
  if (!newest.isChecked) {
    await sql`
      update position_series set provider = ${provider}
      where store = ${store} and from_day = ${newest.fromDay}`.execute(tx);
    return null;
  }
  await sql`
    insert into position_series (store, from_day, provider)
    values (${store}, ${tomorrow}, ${provider})`.execute(tx);
  return tomorrow;
}

/** The providers of listings' positions, oldest first. */
export async function listSeriesOfListings(
  db: Db | Tx,
  listingIds: readonly number[],
): Promise<SeriesRow[]> {
  const { rows } = await sql<Row<'series-of-listings', SeriesRow>>`/* series-of-listings */
    select l.id as of, s.from_day as "fromDay", s.provider
    from listings l join position_series s using (store)
    where l.id = any(${[...listingIds]}::int[]) order by s.from_day`.execute(db);
  return rows;
}

/** The listings whose provider changes after the first day of a range. */
export async function listChangedSeries(
  tx: Tx,
  range: { listingIds: readonly number[]; from: string; to: string },
): Promise<number[]> {
  const { rows } = await sql<Row<'changed-series', { id: number }>>`/* changed-series */
    select l.id from position_series s join listings l using (store)
    where s.from_day > ${range.from}::date and s.from_day <= ${range.to}::date
      and l.id = any(${[...range.listingIds]}::int[])`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The providers of apps' positions, oldest first. */
export async function listSeriesOfApps(tx: Tx, appIds: readonly number[]): Promise<SeriesRow[]> {
  const { rows } = await sql<Row<'series-of-apps', SeriesRow>>`/* series-of-apps */
    select a.id as of, s.from_day as "fromDay", s.provider
    from apps a join listings l on l.id = a.listing_id join position_series s using (store)
    where a.id = any(${[...appIds]}::int[]) order by s.from_day`.execute(tx);
  return rows;
}
