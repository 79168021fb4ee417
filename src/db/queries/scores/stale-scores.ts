import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** A score is computed again with results that are newer than its own by so many days. */
const intervalDays = 7;

/** True when results of the market of this day call for a new score. */
export const isScoreStale = (marketId: RawBuilder<unknown>, day: string): RawBuilder<unknown> =>
  sql`not exists (select from market_scores c where c.market_id = ${marketId}
    and c.serp_on > ${day}::date - ${intervalDays}::int)`;

/** Markets whose score is stale, lowest id first. */
export async function listStaleScores(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<Row<'list-stale-scores'>>`/* list-stale-scores */
    select market_id as id from stale_scores order by market_id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Call it once their scores are stored. */
export async function deleteStaleScores(db: Db, marketIds: readonly number[]): Promise<void> {
  await sql`/* delete-stale-scores */
    delete from stale_scores where market_id = any(${[...marketIds]}::int[])`.execute(db);
}

/**
 * Marks scored markets of countries as stale, at most `limit` after `afterId`. Returns the id to
 * continue after; null when none is left.
 */
export async function insertStaleScores(
  db: Db,
  given: {
    stores: readonly string[];
    countries: readonly string[];
    afterId: number;
    limit: number;
  },
): Promise<number | null> {
  const { rows } = await sql<Row<'insert-stale-scores'>>`/* insert-stale-scores */
    with scored as (
      select c.market_id from market_scores c join markets m on m.id = c.market_id
      where c.market_id > ${given.afterId} and m.store = any(${[...given.stores]}::text[])
        and m.country = any(${[...given.countries]}::text[])
      order by c.market_id limit ${given.limit}
    ), inserted as (
      insert into stale_scores select market_id from scored on conflict do nothing
    )
    select max(market_id) as "lastId" from scored`.execute(db);
  return rows[0]!.lastId;
}
