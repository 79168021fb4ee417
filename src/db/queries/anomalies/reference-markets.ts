import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ReferenceMarket {
  phrase: string;
  country: string;
  device: string;
  depth: number;
  usualResults: number;
}

/** Candidates on each side of a random market, so that no statement reads all markets. */
const candidates = 60;
/** Fewer results say little about the store. */
const minResults = 20;
const stableDays = 21;

/**
 * Random markets of a store whose number of results hardly changed for weeks, or for as long as
 * they have been searched.
 */
export async function listReferenceMarkets(
  db: Db,
  input: {
    store: StoreName;
    provider: string;
    day: string;
    /** A market that needs confirmation itself. */
    except: number | null;
    limit: number;
  },
): Promise<ReferenceMarket[]> {
  const usable = sql`
    store = ${input.store} and depth > 0
    and usual_results >= ${minResults} and checked_on >= greatest(${input.day}::date - 7,
      (select max(from_day) from position_series
        where store = ${input.store} and from_day <= ${input.day}::date))
    and market_id is distinct from ${input.except}::int`;
  const { rows } = await sql<
    Row<'list-reference-markets', ReferenceMarket, 'usualResults'>
  >`/* list-reference-markets */
    with start as materialized (
      select (random() * max(market_id))::int as id from market_schedule
    ), near as (
      (select market_id, depth, usual_results from market_schedule, start
        where ${usable} and market_id >= start.id order by market_id limit ${candidates})
      union all
      (select market_id, depth, usual_results from market_schedule, start
        where ${usable} and market_id < start.id order by market_id desc limit ${candidates})
    )
    select m.phrase, m.country, m.device, near.depth, near.usual_results as "usualResults"
    from near join markets m on m.id = near.market_id
    cross join lateral (
      select min(result_count) as least, max(result_count) as most from serps p
      where p.market_id = near.market_id and p.provider = ${input.provider}
        and p.on_date >= ${input.day}::date - ${stableDays}::int
    ) counts
    where counts.least > 0.6 * counts.most
    order by random() limit ${input.limit}`.execute(db);
  return rows;
}
