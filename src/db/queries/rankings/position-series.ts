import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface SeriesRow {
  /** The listing or app whose positions these are. */
  of: number;
  fromDay: string;
  provider: string;
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

/** The providers of apps' positions, oldest first. */
export async function listSeriesOfApps(tx: Tx, appIds: readonly number[]): Promise<SeriesRow[]> {
  const { rows } = await sql<Row<'series-of-apps', SeriesRow>>`/* series-of-apps */
    select a.id as of, s.from_day as "fromDay", s.provider
    from apps a join listings l on l.id = a.listing_id join position_series s using (store)
    where a.id = any(${[...appIds]}::int[]) order by s.from_day`.execute(tx);
  return rows;
}
