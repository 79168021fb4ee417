import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { beginChainsAfter } from './begin-chains.ts';
import { listKeptSerps } from './kept-serps.ts';

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

async function restoreLastSerps(tx: Tx, { marketIds, day }: Retracted): Promise<void> {
  const { rows } = await sql<Row<'newest-serps'>>`/* newest-serps */
    select distinct on (market_id) market_id as "marketId", on_date as date
    from serps where market_id = any(${marketIds}::int[])
    order by market_id, on_date desc`.execute(tx);
  const serps = await listKeptSerps(tx, rows);
  const column = <Value>(read: (serp: (typeof serps)[number]) => Value) => sql`${serps.map(read)}`;
  await sql`/* delete-last-serps */
    delete from last_serps where market_id = any(${column((serp) => serp.marketId)}::int[])
      or market_id = any(${marketIds}::int[]) and on_date = ${day}`.execute(tx);
  await sql`/* restore-last-serps */
    insert into last_serps (market_id, on_date, depth, result_count, ended, provider, language,
      ids, strengths, ads, whole_on)
    select p.market_id, p.on_date, p.depth, p.result_count, p.ended, p.provider, p.language,
      n.ids, n.strengths, p.ads, coalesce(p.whole_on, p.on_date)
    from unnest(${column((serp) => serp.marketId)}::int[],
      ${column((serp) => serp.date)}::date[], ${column((serp) => serp.ids)}::bytea[],
      ${column((serp) => serp.strengths)}::bytea[]) as n(market_id, on_date, ids, strengths)
    join serps p on p.market_id = n.market_id and p.on_date = n.on_date`.execute(tx);
}
