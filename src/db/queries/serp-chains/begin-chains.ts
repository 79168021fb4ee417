import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { listKeptSerps } from './kept-serps.ts';

/**
 * Makes the first results after a day whole that were a difference from earlier ones, so that the
 * day can be changed.
 */
export async function beginChainsAfter(
  tx: Tx,
  { marketIds, day }: { marketIds: number[]; day: string },
): Promise<void> {
  const { rows } = await sql<Row<'dependent-serps'>>`/* dependent-serps */
    select distinct on (market_id) market_id as "marketId", on_date as date
    from serps
    where market_id = any(${marketIds}::int[]) and on_date > ${day}::date
      and whole_on <= ${day}::date
    order by market_id, on_date`.execute(tx);
  const serps = await listKeptSerps(tx, rows);
  if (serps.length === 0) return;
  const column = <Value>(read: (serp: (typeof serps)[number]) => Value) => sql`${serps.map(read)}`;
  await sql`/* continue-serp-chains */
    update serps p set whole_on = n.on_date
    from unnest(${column((serp) => serp.marketId)}::int[],
      ${column((serp) => serp.date)}::date[]) as n(market_id, on_date)
    where p.market_id = n.market_id and p.on_date > n.on_date
      and p.whole_on <= ${day}::date`.execute(tx);
  await sql`/* begin-serp-chains */
    update serps p set ids = n.ids, strengths = n.strengths, whole_on = null
    from unnest(${column((serp) => serp.marketId)}::int[],
      ${column((serp) => serp.date)}::date[], ${column((serp) => serp.ids)}::bytea[],
      ${column((serp) => serp.strengths)}::bytea[]) as n(market_id, on_date, ids, strengths)
    where p.market_id = n.market_id and p.on_date = n.on_date`.execute(tx);
}
