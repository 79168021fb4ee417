import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** A score is computed again with results that are newer than its own by so many days. */
const intervalDays = 7;

/** True when results of the market of this day call for a new score. */
export const isScoreStale = (marketId: RawBuilder<unknown>, day: string): RawBuilder<unknown> =>
  sql`not exists (select from market_scores c where c.market_id = ${marketId}
    and c.serp_on > ${day}::date - ${intervalDays}::int)`;

/** A new mark of a market that has one is another version: it may be about newer evidence. */
export const onMarkedScore = sql`on conflict (market_id) do update
  set market_id = excluded.market_id`;

export interface StaleScore {
  marketId: number;
  version: string;
}

/** Markets whose score is stale, lowest id first. */
export async function listStaleScores(db: Db, limit: number): Promise<StaleScore[]> {
  const { rows } = await sql<Row<'list-stale-scores'>>`/* list-stale-scores */
    select market_id as "marketId", xmin::text as version from stale_scores
    order by market_id limit ${limit}`.execute(db);
  return rows;
}

/** Call it once their scores are stored. Markets that were marked since then stay stale. */
export async function deleteStaleScores(db: Db, scored: readonly StaleScore[]): Promise<void> {
  await sql`/* delete-stale-scores */
    delete from stale_scores s
    using unnest(${scored.map(({ marketId }) => marketId)}::int[],
      ${scored.map(({ version }) => version)}::text[]) as scored(market_id, version)
    where s.market_id = scored.market_id and s.xmin::text = scored.version`.execute(db);
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
      insert into stale_scores select market_id from scored ${onMarkedScore}
    )
    select max(market_id) as "lastId" from scored`.execute(db);
  return rows[0]!.lastId;
}
