import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { beginChainsAfter } from './begin-chains.ts';
import { listKeptSerps, type KeptSerp } from './kept-serps.ts';

interface Retracted {
  marketIds: number[];
  day: string;
}

/**
 * Deletes the results of a day. Later results that were a difference from them become whole, and
 * the newest results that are left are the market's last ones.
 */
export async function retractSerps(tx: Tx, retracted: Retracted): Promise<void> {
  await beginChainsAfter(tx, retracted);
  await sql`/* retract-serps */
    delete from serps where on_date = ${retracted.day}
      and market_id = any(${retracted.marketIds}::int[])`.execute(tx);
  await restoreLastSerps(tx, retracted);
}

/** Packed results are in no chain. */
async function restoreLastSerps(tx: Tx, { marketIds, day }: Retracted): Promise<void> {
  const { rows } = await sql<
    Row<'newest-serps', { marketId: number; date: string }, 'date'>
  >`/* newest-serps */
    select market_id as "marketId", max(on_date) as date from (
      select market_id, on_date from serps where market_id = any(${marketIds}::int[])
      union all
      select market_id, last_on from serp_months where market_id = any(${marketIds}::int[])
    ) known group by 1`.execute(tx);
  const serps = await listKeptSerps(tx, rows);
  await sql`/* delete-last-serps */
    delete from last_serps where market_id = any(${serps.map(({ marketId }) => marketId)}::int[])
      or market_id = any(${marketIds}::int[]) and on_date = ${day}`.execute(tx);
  await sql`/* restore-last-serps */
    insert into last_serps (market_id, on_date, depth, result_count, ended, provider, language,
      ids, strengths, ads, whole_on)
    select n.market_id, n.on_date, n.depth, n.result_count, n.ended, n.provider, n.language,
      n.ids, n.strengths, n.ads, case when p.market_id is null
        then date_trunc('month', n.on_date)::date - 1 else coalesce(p.whole_on, n.on_date) end
    from json_to_recordset(${JSON.stringify(serps.map(toLastRow))}::json) as n(market_id int,
      on_date date, depth smallint, result_count smallint, ended text, provider text,
      language text, ids bytea, strengths bytea, ads smallint[])
    left join serps p on p.market_id = n.market_id and p.on_date = n.on_date`.execute(tx);
}

const toLastRow = ({ ids, strengths, ...serp }: KeptSerp): object => ({
  market_id: serp.marketId,
  on_date: serp.date,
  depth: serp.depth,
  result_count: serp.resultCount,
  ended: serp.ended,
  provider: serp.provider,
  language: serp.language,
  ads: serp.ads,
  ids: `\\x${ids.toString('hex')}`,
  strengths: `\\x${strengths.toString('hex')}`,
});
